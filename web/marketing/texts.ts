// Texts of the public pages that can be edited without a developer.
import Faq from '#content/faq.md'
import PricingFaq from '#content/pricing-faq.md'
import { sectionsOf } from './text-sections.ts'

export const questions = sectionsOf(Faq)
export const pricingQuestions = sectionsOf(PricingFaq)
