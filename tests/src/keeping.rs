//! How a referee keeps its bots apart from everything else, as a test asks for it.

use std::fmt;
use std::process::Command;
use std::sync::OnceLock;

use crate::bench::Bench;

/// The environment variable that chooses a supervisor.
const SUPERVISOR: &str = "ARBITER_SUPERVISOR";

/// One way of keeping bots; what no test asks for is the first one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keeping {
    /// By keepers, with every layer of isolation that the system has.
    Isolated,
    /// By keepers without layers: the bots run as the user of the referee, among its files.
    Off,
    /// Without keepers, as on systems that have none.
    Portable,
}

/// A command that runs a referee in one of these ways.
pub trait Kept {
    /// Has the bots kept in this way.
    fn kept(&mut self, keeping: Keeping) -> &mut Command;
}

impl Keeping {
    /// All of them.
    pub const ALL: [Keeping; 3] = [Keeping::Isolated, Keeping::Off, Keeping::Portable];

    /// Those in which a bot has the files and the processes of its user.
    pub const OPEN: [Keeping; 2] = [Keeping::Off, Keeping::Portable];

    /// Those in which nothing lives on that a bot leaves behind, wherever it goes.
    pub const THOROUGH: [Keeping; 2] = [Keeping::Isolated, Keeping::Off];

    /// Whether bots can be kept in this way here; says so where they cannot, since the machine lacks a
    /// layer of isolation.
    pub fn can_be_had(self, bench: &Bench) -> bool {
        static IS_COMPLETE: OnceLock<bool> = OnceLock::new();
        let is_complete = || bench.run(["sandbox", "--json"]).code == Some(0);
        let can_be_had = self != Keeping::Isolated || *IS_COMPLETE.get_or_init(is_complete);
        if !can_be_had {
            println!("skipped: this machine does not have every layer of isolation");
        }
        can_be_had
    }

    /// The words of the command line that ask for it.
    pub fn words(self) -> &'static [&'static str] {
        match self {
            Keeping::Isolated | Keeping::Portable => &[],
            Keeping::Off => &["--isolation", "off"],
        }
    }

    /// The supervisor that the environment asks for.
    pub fn supervisor(self) -> &'static str {
        match self {
            Keeping::Isolated | Keeping::Off => "linux",
            Keeping::Portable => "portable",
        }
    }
}

impl fmt::Display for Keeping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Keeping::Isolated => "isolated",
            Keeping::Off => "off",
            Keeping::Portable => "portable",
        })
    }
}

impl Kept for Command {
    fn kept(&mut self, keeping: Keeping) -> &mut Command {
        self.env(SUPERVISOR, keeping.supervisor()).args(keeping.words())
    }
}
