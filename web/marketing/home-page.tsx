import { PageHead } from './page-head.tsx'

export function HomePage() {
  return <PageHead title="One honest review given. One received." lead="A membership club." />
}
