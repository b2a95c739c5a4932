/** One rule: its figure, what it is the figure of, and what it means in a sentence. */
export type Rule = { figure: string; name: string; sentence: string }
export type RuleGroup = { id: string; title: string; lead: string; rules: Rule[] }
