/**
 * Whether a file is what its type says: a picture that can be shown, or a text that begins like a PDF. The
 * browser takes the type from the file's name.
 */
export async function isOfItsType(file: File): Promise<boolean> {
  if (file.type === 'application/pdf') return (await file.slice(0, 1_024).text()).includes('%PDF-')
  try {
    const picture = await createImageBitmap(file)
    picture.close()
    return true
  } catch {
    return false
  }
}
