/** The advisory lock, in SQL, of backups, and of migrations, which change what a backup reads. */
export const backupLock = `hashtextextended('evenhand:backup', 0)`
