/**
 * Which control functions exist: what decides whether `ESC [` and a letter is one, or the rest of one that was cut off and
 * prose behind it.
 *
 * Source: ECMA-48 8.3, the VT420 and xterm manuals (ctlseqs), cut to what programs send. Functions that need a parameter to
 * mean anything are not taken without one: a cut-off introducer before "this", "prose" or "hello" then costs nothing but
 * itself. Before a word that begins with a function's letter ("Hello": CUP) the letter is lost; no parser can tell.
 */

/** Finals that stand alone: cursor motions, erasing, inserting, SGR, DECSTBM, save and restore, device attributes. */
const WITHOUT_PARAMETERS = '@ABCDEFGHIJKLMPSTXZ`cfgmrsu';
/** Finals that are something once they have a parameter. */
const WITH_PARAMETERS = `${WITHOUT_PARAMETERS}abdehilnqtxy^`;
/** With a private marker (`<=>?`) in front: modes, reports, key protocols. */
const PRIVATE = 'JKSTbcfghilmnpqrstu';
/** Behind intermediates, these and the final: DECSCUSR, SL, SR; DECSTR, DECSCA, DECRQM, rectangles, and so on. */
const BEHIND_INTERMEDIATE: Readonly<Record<string, string>> = {
  ' ': '@Aq',
  '!': 'p',
  '"': 'pqv',
  '#': 'PQRpqy|{}',
  $: 'prtuvwxyz{|}',
  "'": 'wz{|}~',
  '*': 'xyz|',
};

export function isControlFunction(parameters: string, intermediate: string, final: string): boolean {
  if (intermediate !== '') return BEHIND_INTERMEDIATE[intermediate]?.includes(final) ?? false;
  if (final === '~') return parameters !== ''; // function keys, bracketed paste
  const marker = parameters.charCodeAt(0);
  if (marker >= 0x3c && marker <= 0x3f) return PRIVATE.includes(final);
  return (parameters === '' ? WITHOUT_PARAMETERS : WITH_PARAMETERS).includes(final);
}
