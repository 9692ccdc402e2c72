//! The options of `arbiter serve`.

use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;

use super::number::number;
use crate::failure::Failure;
use crate::serve::people::MOST_TABLES;
use crate::serve::{self, Hands, ServeRequest, Submissions};

/// What is served, and where.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(super) struct ServeArgs {
    /// A league, a tournament, or a folder of them
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// The address and the port to listen at; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
    /// A name under which a proxy on this machine asks for pages; repeat for each
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// Show all hands at once, also of deals that are still being played
    #[arg(long)]
    open_hands: bool,
    /// How many people can play against bots at once, on the page `play/`; 0 for none
    #[arg(long, value_name = "N", default_value_t = MOST_TABLES, value_parser = number::<usize>("a number of tables", 0..=1000))]
    tables: usize,
    /// Take bots from participants, who have tokens by `arbiter league invite`
    #[arg(long)]
    submit: bool,
}

const HELP: &str =
    "The pages are those of `arbiter report`, and show games as soon as they are in the \
log; what is being played can be watched, with the hands of all once all games of a deal are over. They are for readers on this machine alone, unless --listen says otherwise. Ctrl-C ends it.

Examples:
  arbiter serve cup
  arbiter serve class --listen 0.0.0.0:8080
  arbiter serve class --submit --host league.example.org";

impl ServeArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let ServeArgs { folder, listen, host, open_hands, tables, submit } = self;
        let hands = if open_hands { Hands::Open } else { Hands::Public };
        let submissions = if submit { Submissions::Taken } else { Submissions::NotTaken };
        serve::run(ServeRequest { folder, listen, hosts: host, hands, tables, submissions }, out)
    }
}
