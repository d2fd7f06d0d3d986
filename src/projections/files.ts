// What is known of memory and skill files: what each held when it was looked at last, and what judged writes have left. Facts alone: files go
// by keyed digests of where they lie, and what they hold by digests too.
import type { KeptProjection } from './projection.js'

export interface KnownFile {
  /** Digest of its text; null where there was none. */
  readonly found: string | null
  /** Of the entry by which it is known. */
  readonly index: number
}

export interface FilesView {
  /** By the digest of their place, newest last. */
  places: Record<string, KnownFile>
  /** What judged writes left, newest last. */
  landed: { readonly found: string | null; readonly index: number }[]
}

export const placesMax = 2000
export const landedMax = 512

export const files: KeptProjection<FilesView> = {
  name: 'files',
  version: 1,
  partOf: ({ type }) => (type === 'file.noticed' || type === 'write.landed' ? filesPart : undefined),
  initial: () => ({ places: {}, landed: [] }),
  on: {
    'file.noticed': (view, { index, facts }) => {
      for (const { place, found } of facts.files) {
        delete view.places[place]
        view.places[place] = { found, index }
      }
      const handles = Object.keys(view.places)
      for (const place of handles.slice(0, Math.max(0, handles.length - placesMax))) delete view.places[place]
      return view
    },
    'write.landed': (view, { index, facts }) => {
      if (facts.probe === true) return view
      for (const { found } of facts.files) if (found !== undefined) view.landed.push({ found, index })
      view.landed.splice(0, Math.max(0, view.landed.length - landedMax))
      return view
    },
  },
}

/** The one part of this view. */
export const filesPart = 'ledger'
