//! Ways to keep bots apart from everything else, as a test asks for them.

use std::fmt;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use crate::bench::Bench;
use crate::missing;

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
    /// As in most containers: a referee of root's, which may become another user, and bots that are
    /// `nobody`.
    Contained,
}

/// A command that runs a referee in one of these ways.
pub trait KeepingCommand {
    /// Has the bots kept in this way.
    fn with_keeping(&mut self, keeping: Keeping) -> &mut Command;
}

impl Keeping {
    /// Ways that need no change to a machine.
    pub const ALL: [Keeping; 3] = [Keeping::Isolated, Keeping::Off, Keeping::Portable];

    /// All of them.
    pub const EACH: [Keeping; 5] =
        [Keeping::Isolated, Keeping::Refused, Keeping::Contained, Keeping::Off, Keeping::Portable];

    /// Ways that leave a bot the files and the processes of its user.
    pub const OPEN: [Keeping; 2] = [Keeping::Off, Keeping::Portable];

    /// Ways that end every process of a bot, wherever it goes.
    pub const THOROUGH: [Keeping; 2] = [Keeping::Isolated, Keeping::Off];

    /// Ways without namespaces, which the machine refuses.
    pub const WITHOUT_NAMESPACES: [Keeping; 2] = [Keeping::Refused, Keeping::Contained];

    /// Returns true if this machine can keep bots in this way; if not, says which layer it lacks.
    pub fn can_be_had(self, bench: &Bench) -> bool {
        static CAN_BE_REFUSED: OnceLock<bool> = OnceLock::new();
        static CAN_BE_CONTAINED: OnceLock<bool> = OnceLock::new();
        let (can_be_had, why) = match self {
            Keeping::Isolated => {
                (is_complete(bench), "this machine does not have every layer of isolation")
            }
            Keeping::Refused => (
                *CAN_BE_REFUSED.get_or_init(can_be_refused),
                "no namespace can be had here in which others are refused",
            ),
            Keeping::Contained => (
                *CAN_BE_CONTAINED.get_or_init(|| can_be_contained(bench)),
                "no place can be had here that is as a container is for root",
            ),
            Keeping::Off | Keeping::Portable => (true, ""),
        };
        if !can_be_had {
            println!("skipped: {why}");
        }
        can_be_had
    }

    /// Those of these ways that can be had here.
    pub fn had<const N: usize>(list: [Keeping; N]) -> impl Iterator<Item = Keeping> {
        let bench = Bench::new();
        list.into_iter().filter(move |keeping| keeping.can_be_had(&bench))
    }

    /// The way in which this machine keeps bots if nothing is said: isolated, or by keepers without layers.
    pub fn usual() -> Keeping {
        match is_complete(&Bench::new()) {
            true => Keeping::Isolated,
            false => Keeping::Off,
        }
    }

    /// The words of the command line that ask for it.
    pub fn words(self) -> &'static [&'static str] {
        match self {
            Keeping::Isolated | Keeping::Portable | Keeping::Refused | Keeping::Contained => &[],
            Keeping::Off => &["--isolation", "off"],
        }
    }

    /// The supervisor that the environment asks for.
    pub fn supervisor(self) -> &'static str {
        match self {
            Keeping::Isolated | Keeping::Off | Keeping::Refused | Keeping::Contained => "linux",
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
            Keeping::Contained => "contained",
        })
    }
}

impl KeepingCommand for Command {
    fn with_keeping(&mut self, keeping: Keeping) -> &mut Command {
        match keeping {
            Keeping::Refused => *self = started_by(&REFUSING, self),
            Keeping::Contained => *self = started_by(&CONTAINING, self),
            Keeping::Isolated | Keeping::Off | Keeping::Portable => {}
        }
        self.env(SUPERVISOR, keeping.supervisor()).args(keeping.words())
    }
}

/// Returns true if this machine has a layer of isolation for bots; if not, says so.
pub fn layer_is_on(bench: &Bench, name: &str) -> bool {
    let layers = bench.run(["sandbox", "--json"]).json();
    let is_on = layers.iter().any(|it| it["layer"]["name"] == name && it["layer"]["on"] == true);
    if !is_on {
        println!("skipped: this machine has no layer `{name}` for bots");
    }
    is_on
}

/// Like [`layer_is_on`], but no machine may lack it where nothing may be missing.
pub fn has_layer(bench: &Bench, name: &str) -> bool {
    let is_on = layer_is_on(bench, name);
    if !is_on {
        missing::tell(&format!("no layer `{name}`"));
    }
    is_on
}

/// A program that makes a namespace of users in which there are no others, and becomes a command there.
const REFUSING: [&str; 6] = [
    "unshare",
    "--map-root-user",
    "/bin/sh",
    "-c",
    "echo 0 >/proc/sys/user/max_user_namespaces && exec \"$@\"",
    "sh",
];

/// A program that becomes a command of root's with the rights that containers usually give to root. Who
/// has changed its root gets no namespace of users, and the other ones need a right that is not among
/// those. All files are where they were.
const CONTAINING: [&str; 6] = [
    "unshare",
    "--mount",
    "/bin/sh",
    "-c",
    "mount --rbind / /mnt && exec setpriv --bounding-set=-all,+chown,+dac_override,+fowner,+fsetid,\
     +kill,+setgid,+setuid,+setpcap,+net_bind_service,+net_raw,+sys_chroot,+mknod,+audit_write,+setfcap \
     chroot /mnt /bin/sh -c 'cd \"$0\" && exec \"$@\"' \"$PWD\" \"$@\"",
    "sh",
];

/// Puts the words of a program before a command, which gets no input.
pub fn started_by(program: &[&str], command: &Command) -> Command {
    let mut within = Command::new(program[0]);
    within.args(&program[1..]).arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => within.env(name, value),
            None => within.env_remove(name),
        };
    }
    if let Some(folder) = command.get_current_dir() {
        within.current_dir(folder);
    }
    within.stdin(Stdio::null());
    within
}

/// Returns true if this machine has every layer of isolation.
fn is_complete(bench: &Bench) -> bool {
    static IS_COMPLETE: OnceLock<bool> = OnceLock::new();
    *IS_COMPLETE.get_or_init(|| bench.run(["sandbox", "--json"]).code == Some(0))
}

fn can_be_refused() -> bool {
    let mut probe = Command::new("unshare");
    probe.args(["--map-root-user", "true"]).stderr(Stdio::null());
    let has_one = probe.status().is_ok_and(|status| status.success());
    // It must fail there since the first one, which was had before, has no more to give.
    has_one && fails(&mut started_by(&REFUSING, &probe))
}

/// The user `nobody` must find neither the programs nor the bench there, and neither it nor root
/// may have namespaces.
fn can_be_contained(bench: &Bench) -> bool {
    let as_nobody = |words: &[&str]| {
        let mut command = Command::new("setpriv");
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).args(words);
        started_by(&CONTAINING, &command)
    };
    let [program, folder] =
        [bench.program("faulty"), bench.scratch()].map(|path| path.display().to_string());
    let mut finds = as_nobody(&["test", "-x", &program, "-a", "-x", &folder]);
    let is_there = finds.stderr(Stdio::null()).status();
    is_there.is_ok_and(|status| status.success())
        && fails(&mut as_nobody(&["unshare", "--user", "true"]))
        && fails(&mut started_by(&CONTAINING, Command::new("unshare").args(["--mount", "true"])))
}

/// Returns true if a command fails and says why.
fn fails(command: &mut Command) -> bool {
    let output = command.output();
    output.is_ok_and(|it| !it.status.success() && !it.stderr.is_empty())
}

/// The same command as another user, who gets copies of the programs.
pub fn as_user(bench: &Bench, command: &Command, user: u32) -> Command {
    let open = |path: &Path| {
        fs::set_permissions(path, fs::Permissions::from_mode(0o777)).expect("it is ours");
    };
    open(bench.folder());
    open(&bench.scratch());
    for name in ["arbiter", "faulty"] {
        bench.copy(&bench.program(name), name);
        open(&bench.path(name));
    }
    let own = |word: &std::ffi::OsStr| {
        let word = word.to_str().expect("words are Unicode");
        let faulty = bench.program("faulty").display().to_string();
        word.replace(&faulty, &bench.path("faulty").display().to_string())
    };
    let mut other = bench.command(bench.path("arbiter"));
    other.args(command.get_args().map(own)).uid(user).gid(user);
    let supervisor = command.get_envs().find(|(name, _)| *name == "ARBITER_SUPERVISOR");
    if let Some((name, Some(value))) = supervisor {
        other.env(name, value);
    }
    other
}

/// Returns true if bots cannot write to their own files here; if not, says so.
pub fn has_layer_files(bench: &Bench) -> bool {
    let layers = bench.line("sandbox --json").json();
    let mut layers = layers.iter().map(|line| &line["layer"]);
    let has_files = layers.any(|layer| layer["name"] == "files" && layer["on"] == true);
    if !has_files {
        missing::tell("this machine has no layer `files` for bots");
    }
    has_files
}
