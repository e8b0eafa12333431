// Copy what stands in a field.

/** Mark the text of a field and copy it; false where the browser does not. Browsers give `navigator.clipboard` to https alone. @param {HTMLInputElement} field @returns {boolean} */
export function copyField(field) {
  field.select();
  return document.execCommand('copy');
}
