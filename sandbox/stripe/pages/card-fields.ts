import { html } from 'hono/html'
import { offeredCards } from '../cards.ts'
import type { Markup } from './layout.ts'

/** The choice of a card: one of the offered test cards, or the number of another one. */
export function cardFields(chosen: string | undefined, other: string, error: string | undefined): Markup {
  return html`<fieldset>
      <legend>Test card</legend>
      ${offeredCards.map(
        ({ number, label }, index) =>
          html`<label class="choice">
            <input
              type="radio"
              name="card"
              value="${number}"
              ${(chosen ?? offeredCards[0]?.number) === number ? 'checked' : ''}
              ${index === 0 ? 'required' : ''}
            />
            <span class="choice-label">${label}</span>
            <span class="number">${grouped(number)}</span>
          </label>`,
      )}
    </fieldset>
    <div class="field">
      <label for="number">Another test card</label>
      <input
        id="number"
        name="number"
        inputmode="numeric"
        autocomplete="off"
        maxlength="23"
        placeholder="5555 5555 5555 4444"
        value="${other}"
        aria-describedby="number-hint"
        ${error === undefined ? '' : 'aria-invalid="true"'}
      />
      <p class="hint" id="number-hint">
        When filled in, this number is used instead of the choice above. Only published test cards work, never
        a real one. No date and no code are asked for.
      </p>
    </div>`
}

function grouped(number: string) {
  return number.replaceAll(/(\d{4})(?=\d)/g, '$1 ')
}
