/** One rule: its figure, a name for the figure, and a sentence that explains it. */
export type Rule = { figure: string; name: string; sentence: string }
export type RuleGroup = { id: string; title: string; lead: string; rules: Rule[] }
