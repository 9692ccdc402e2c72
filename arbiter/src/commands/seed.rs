//! `arbiter seed`: a seed in a file of its own, and the commitment to it.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;

use text::{printable, system_error};

use conditions::failure::Failure;
use contest::setup::AskedSeed;

/// Draws a seed, writes it to a new file that only its owner can read, and prints the commitment.
pub(crate) fn run(path: &Path, out: &mut dyn Write) -> Result<(), Failure> {
    let seed = AskedSeed::Drawn.committed()?;
    let shown = printable(&path.display().to_string());
    write_new(path, &format!("{seed}\n")).map_err(|error| {
        Failure::Usage(match error.kind() {
            io::ErrorKind::AlreadyExists => {
                format!("seed file `{shown}` exists, expected the name of a new file")
            }
            _ => format!("seed file `{shown}` cannot be written: {}", system_error(error)),
        })
    })?;
    writeln!(out, "commitment to the seed: {}", seed.commitment())?;
    Ok(())
}

fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(text.as_bytes())
}
