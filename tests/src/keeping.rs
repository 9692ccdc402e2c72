//! How a referee keeps its bots apart from everything else, as a test asks for it.

use std::fmt;
use std::process::{Command, Stdio};
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
    /// By keepers, with the layers that are left where the machine refuses namespaces.
    Refused,
}

/// A command that runs a referee in one of these ways.
pub trait Kept {
    /// Has the bots kept in this way.
    fn kept(&mut self, keeping: Keeping) -> &mut Command;
}

impl Keeping {
    /// Those that no machine has to be changed for.
    pub const ALL: [Keeping; 3] = [Keeping::Isolated, Keeping::Off, Keeping::Portable];

    /// Those in which a bot has the files and the processes of its user.
    pub const OPEN: [Keeping; 2] = [Keeping::Off, Keeping::Portable];

    /// Those in which nothing lives on that a bot leaves behind, wherever it goes.
    pub const THOROUGH: [Keeping; 2] = [Keeping::Isolated, Keeping::Off];

    /// Whether bots can be kept in this way here; says so where they cannot, since the machine lacks a
    /// layer of isolation.
    pub fn can_be_had(self, bench: &Bench) -> bool {
        static IS_COMPLETE: OnceLock<bool> = OnceLock::new();
        static CAN_BE_REFUSED: OnceLock<bool> = OnceLock::new();
        let is_complete = || bench.run(["sandbox", "--json"]).code == Some(0);
        let (can_be_had, why) = match self {
            Keeping::Isolated => (
                *IS_COMPLETE.get_or_init(is_complete),
                "this machine does not have every layer of isolation",
            ),
            Keeping::Refused => (
                *CAN_BE_REFUSED.get_or_init(can_be_refused),
                "no namespace can be had here in which others are refused",
            ),
            Keeping::Off | Keeping::Portable => (true, ""),
        };
        if !can_be_had {
            println!("skipped: {why}");
        }
        can_be_had
    }

    /// The words of the command line that ask for it.
    pub fn words(self) -> &'static [&'static str] {
        match self {
            Keeping::Isolated | Keeping::Portable | Keeping::Refused => &[],
            Keeping::Off => &["--isolation", "off"],
        }
    }

    /// The supervisor that the environment asks for.
    pub fn supervisor(self) -> &'static str {
        match self {
            Keeping::Isolated | Keeping::Off | Keeping::Refused => "linux",
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
            Keeping::Refused => "refused",
        })
    }
}

impl Kept for Command {
    fn kept(&mut self, keeping: Keeping) -> &mut Command {
        if keeping == Keeping::Refused {
            *self = without_namespaces(self);
        }
        self.env(SUPERVISOR, keeping.supervisor()).args(keeping.words())
    }
}

/// A program that makes a namespace of users in which there are no others, and becomes a command there.
const REFUSING: [&str; 5] = [
    "unshare",
    "--map-root-user",
    "/bin/sh",
    "-c",
    "echo 0 >/proc/sys/user/max_user_namespaces && exec \"$@\"",
];

/// The same command, with no input, where the machine refuses namespaces.
fn without_namespaces(command: &Command) -> Command {
    let mut refused = Command::new(REFUSING[0]);
    refused.args(&REFUSING[1..]).arg("sh").arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => refused.env(name, value),
            None => refused.env_remove(name),
        };
    }
    if let Some(folder) = command.get_current_dir() {
        refused.current_dir(folder);
    }
    refused.stdin(Stdio::null());
    refused
}

fn can_be_refused() -> bool {
    let mut probe = Command::new("unshare");
    probe.args(["--map-root-user", "true"]).stderr(Stdio::null());
    let has_one = probe.status().is_ok_and(|status| status.success());
    let mut second = without_namespaces(&probe);
    let output = second.output();
    // The second one must fail since the first one, which was had before, has no more to give.
    has_one && output.is_ok_and(|it| !it.status.success() && !it.stderr.is_empty())
}
