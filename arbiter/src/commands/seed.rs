//! `arbiter seed`: a seed in a file of its own, and the commitment to it.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use text::{printable, system_error};

use contest::setup::SeedSpec;
use sandbox::new_file;
use text::failure::Failure;

const HELP: &str = "Publish the commitment, then collect entropy (any words) from the \
participants: then neither you nor they can choose the deals. Keep FILE secret until the end.

Examples:
  arbiter seed cup.seed
  arbiter match --game coup --seed-file cup.seed --entropy blue --entropy 42 ./ann ./bob";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct SeedArgs {
    /// Seed file to create
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

impl SeedArgs {
    /// Draws a seed, writes it to a new file that only its owner can read, and prints the commitment.
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let seed = SeedSpec::Drawn.committed()?;
        let shown = printable(&self.file.display().to_string());
        new_file::write_new(&self.file, format!("{seed}\n").as_bytes()).map_err(|error| {
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
}
