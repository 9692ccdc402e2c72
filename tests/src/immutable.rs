//! Files that cannot be removed.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::missing;

/// Returns true if a bot can make a file in this folder that cannot be removed; if not, says so.
pub fn can_be_made(folder: &Path) -> bool {
    let probe = folder.join("immutable");
    File::create(&probe).expect("the folder of the test can be written");
    let can = chattr("+i", &probe) && chattr("-i", &probe);
    if !can {
        missing::tell("files cannot be made immutable here");
    }
    can
}

/// Lets everything in a folder be removed again.
pub fn release(folder: &Path) {
    chattr("-i", folder);
}

fn chattr(sign: &str, path: &Path) -> bool {
    let mut chattr = Command::new("chattr");
    chattr.args(["-R", sign]).arg(path).stdout(Stdio::null()).stderr(Stdio::null());
    chattr.status().is_ok_and(|status| status.success())
}
