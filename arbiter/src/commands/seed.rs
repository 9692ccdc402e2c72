//! `arbiter seed`: a seed in a file of its own, and the commitment to it.

use std::io::{self, Write};
use std::path::Path;

use text::{printable, system_error};

use contest::setup::AskedSeed;
use sandbox::unfinished;
use text::failure::Failure;

/// Draws a seed, writes it to a new file that only its owner can read, and prints the commitment.
pub(crate) fn run(path: &Path, out: &mut dyn Write) -> Result<(), Failure> {
    let seed = AskedSeed::Drawn.committed()?;
    let shown = printable(&path.display().to_string());
    unfinished::write_new(path, format!("{seed}\n").as_bytes()).map_err(|error| {
        Failure::Usage(match error.kind() {
            io::ErrorKind::AlreadyExists => {
                format!("seed file `{shown}` exists: choose a new name")
            }
            _ => format!("cannot write seed file `{shown}`: {}", system_error(error)),
        })
    })?;
    writeln!(out, "seed commitment: {}", seed.commitment())?;
    Ok(())
}
