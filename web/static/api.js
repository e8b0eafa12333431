// Asking the desk: one function to read, one to tell.

import { toast } from './dom.js';

const PATIENCE_MS = 8000;

/** What an address answers, or an Error whose message is the desk's sentence. */
export async function read(address, patience = PATIENCE_MS) {
  return answered(await fetch(address, { cache: 'no-store', signal: AbortSignal.timeout(patience) }));
}

/** Tell the desk something. Its refusal is shown, by a toast unless `refuse` shows it, and null comes back. */
export async function tell(address, body = {}, patience = PATIENCE_MS, refuse = toast) {
  try {
    const headers = { 'Content-Type': 'application/json', 'X-Vander': 'tablet' };
    const signal = AbortSignal.timeout(patience);
    return await answered(await fetch(address, { method: 'POST', headers, body: JSON.stringify(body), signal }));
  } catch (error) {
    refuse(error.sentence ?? 'The table did not answer. Try again in a moment.', error.rule);
    return null;
  }
}

async function answered(response) {
  const body = await response.json().catch(() => null);
  if (response.ok && body !== null) return body;
  throw Object.assign(new Error('refused'), { sentence: body?.error, rule: body?.rule });
}
