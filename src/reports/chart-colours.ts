// The colours of charts: eight for light and for paper, eight for dark. A test holds each three times as bright or dark as its ground,
// and each pair apart for eyes that see no red or no green.

export interface ChartColours {
  readonly ground: string
  readonly colours: readonly string[]
}

export const chartColours = {
  light: {
    ground: '#ffffff',
    colours: ['#1946c6', '#9a981d', '#30a564', '#66206f', '#049ce4', '#723101', '#65293a', '#6c99a4'],
  },
  dark: {
    ground: '#16181b',
    colours: ['#7eb1fc', '#ec5e1b', '#53fb93', '#bedbdd', '#475adc', '#ffff30', '#a24b3e', '#735e83'],
  },
} as const satisfies Readonly<Record<'light' | 'dark', ChartColours>>

/** So many series are told apart; beyond them the colours come again. */
export const chartColoursCount = chartColours.light.colours.length
