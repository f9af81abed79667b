//! Deletes temporary files that killed processes have left behind.
//!
//! The name of a temporary file identifies its writer: on Linux the machine since its last start, the
//! group of processes that can see each other (each container has its own), and the number of the process.
//! If the writer belongs to this group and no longer runs, its file is deleted at the next write to the
//! folder. The writer of any other file may still run, perhaps on another machine: such a file is deleted
//! if it has not changed for a day.

use std::fs::{self, Metadata};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::time::Duration;

/// What the names of all temporary files begin with.
const PREFIX: &str = ".branchwise-";

/// A file that has not changed for this long has no writer any more.
const OLD: Duration = Duration::from_secs(24 * 60 * 60);

/// What the name of a temporary file of this process begins with.
pub(crate) fn prefix() -> String {
    format!("{PREFIX}{}-{}-", neighbourhood().unwrap_or_else(|| "any".into()), std::process::id())
}

/// Delete what was left in a folder. What cannot be deleted stays.
pub(crate) fn sweep(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let here = neighbourhood();
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(rest) = name.to_str().and_then(|name| name.strip_prefix(PREFIX)) else { continue };
        let Ok(metadata) = fs::symlink_metadata(entry.path()) else { continue };
        if metadata.is_file() && (writer_is_gone(rest, here.as_deref()) || is_old(&metadata)) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether the writer of a file would be seen from here, and is not there.
fn writer_is_gone(name: &str, here: Option<&str>) -> bool {
    let mut parts = name.split('-');
    let (place, process) = (parts.next(), parts.next().and_then(|id| id.parse::<u32>().ok()));
    let (Some(here), Some(process)) = (here, process) else { return false };
    place == Some(here) && !Path::new("/proc").join(process.to_string()).exists()
}

fn is_old(metadata: &Metadata) -> bool {
    metadata.modified().ok().and_then(|time| time.elapsed().ok()).is_some_and(|age| age > OLD)
}

/// A name for all processes that see each other here; `None` where that cannot be told.
fn neighbourhood() -> Option<String> {
    // If this process itself is not listed, the folder lists none.
    Path::new("/proc").join(std::process::id().to_string()).exists().then_some(())?;
    let machine = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    let group = fs::read_link("/proc/self/ns/pid").ok()?;
    let mut hasher = DefaultHasher::new();
    (machine, group).hash(&mut hasher);
    Some(format!("{:016x}", hasher.finish()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::process::Command;
    use std::time::SystemTime;

    #[test]
    fn only_what_nobody_writes_is_deleted() {
        let folder = tempfile::TempDir::new().unwrap();
        let make = |name: &str, age: Duration| {
            let file = File::create(folder.path().join(name)).unwrap();
            file.set_modified(SystemTime::now() - age).unwrap();
        };
        let mut child = Command::new("true").spawn().unwrap();
        child.wait().unwrap();
        let (here, gone) = (neighbourhood(), child.id());
        let (young, old) = (Duration::ZERO, 2 * OLD);
        let here = here.unwrap_or_else(|| "any".into());
        let left = format!("{PREFIX}{here}-{gone}-abc");
        make(&left, young);
        let kept = [
            (format!("{}abc", prefix()), young),
            (format!("{PREFIX}elsewhere-{gone}-abc"), young),
            (format!("{PREFIX}abc"), young),
            ("model.json".to_string(), old),
            (".branchwise".to_string(), old),
        ];
        kept.iter().for_each(|(name, age)| make(name, *age));
        make(&format!("{PREFIX}elsewhere-{gone}-old"), old);
        make(&format!("{PREFIX}old"), old);
        fs::create_dir(folder.path().join(format!("{PREFIX}folder"))).unwrap();
        sweep(folder.path());
        let entries = fs::read_dir(folder.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        let mut expected: Vec<String> = kept.into_iter().map(|(name, _)| name).collect();
        expected.push(format!("{PREFIX}folder"));
        if neighbourhood().is_none() {
            expected.push(left);
        }
        expected.sort();
        assert_eq!(names, expected);
    }
}
