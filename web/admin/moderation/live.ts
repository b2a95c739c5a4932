import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { startLive, useLive } from '#web/kit/live.ts'
import { staffApi } from '../api.ts'

/** Refetches cases when one changes, also by a colleague. */
export function useCaseUpdates(): void {
  const queries = useQueryClient()
  // The stream is outside React and stays open while a screen listens.
  useEffect(() => startLive(), [])
  useLive(({ name }) => {
    if (name === 'case.changed' || name === 'sync')
      void queries.invalidateQueries({ queryKey: staffApi.cases.key() })
  })
}
