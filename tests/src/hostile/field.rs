//! The surroundings of the hostile bot: secrets, processes, sockets and a terminal of the test, and
//! a copy of the referee.

use std::ffi::OsStr;
use std::fs::{self, File, FileTimes};
use std::net::{TcpListener, UdpSocket};
use std::os::fd::OwnedFd;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, SystemTime};

use crate::bench::{Bench, run};
use crate::keeping::{Keeping, KeepingCommand};
use crate::{log, processes};
use rustix::fs::{FlockOperation, fcntl_lock, flock};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

/// A secret of the referee and its user.
const SECRET: &str = "known-to-nobody-else";

/// A bot's text in a place where it should not write.
const SPOILED: &str = "spoiled";

/// The sources of the bot.
const SOURCES: [(&str, &str); 7] = [
    ("hostile.h", include_str!("../../hostile/hostile.h")),
    ("main.c", include_str!("../../hostile/main.c")),
    ("files.c", include_str!("../../hostile/files.c")),
    ("processes.c", include_str!("../../hostile/processes.c")),
    ("network.c", include_str!("../../hostile/network.c")),
    ("kernel.c", include_str!("../../hostile/kernel.c")),
    ("bombs.c", include_str!("../../hostile/bombs.c")),
];
const CHANNELS: (&str, &str) = ("channels.c", include_str!("../../hostile/channels.c"));

/// A bench with all that there is to be attacked.
pub struct Field {
    pub(crate) bench: Bench,
    keeping: Keeping,
    victim: Victim,
    tcp: TcpListener,
    udp: UdpSocket,
    unix: UnixListener,
    abstract_unix: UnixListener,
    /// Kept open, so that the terminal is there and the locks are held.
    _terminal: OwnedFd,
    _locked: File,
}

/// A process that has nothing to do with the match.
struct Victim(Child);

impl Drop for Victim {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Field {
    /// All of it, for a referee that keeps its bots in this way.
    pub fn new(keeping: Keeping) -> Field {
        let bench = Bench::new();
        for folder in ["source", "bots", "other", "home", "programs"] {
            fs::create_dir(bench.path(folder)).expect("the folder is ours");
        }
        for (name, text) in SOURCES.into_iter().chain([CHANNELS]) {
            bench.write(&format!("source/{name}"), text);
        }
        compile(&bench.path("source"), &bench.path("bots/hostile"));
        bench.copy(&bench.program("faulty"), "other/faulty");
        bench.copy(&bench.program("arbiter"), "programs/arbiter");
        lead_out(&bench);
        for name in ["seed", "plan.toml", "home/private"] {
            bench.write(name, SECRET);
        }
        let old = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
        let times = FileTimes::new().set_accessed(old).set_modified(old);
        bench.write("bots/old", "read me");
        let opened = File::options().write(true).open(bench.path("bots/old"));
        opened.and_then(|file| file.set_times(times)).expect("it is ours");
        let locked = File::create(bench.path("bots/locked")).expect("the folder is ours");
        flock(&locked, FlockOperation::LockExclusive).expect("nobody else holds it");
        fcntl_lock(&locked, FlockOperation::LockExclusive).expect("nobody else holds it");
        let (terminal, terminal_path) = terminal();
        let abstract_name = format!("hostile-{}", bench.marker());
        let address = SocketAddr::from_abstract_name(&abstract_name).expect("a short name");
        let sleep = Command::new("sleep").arg("600").stdin(Stdio::null()).spawn();
        let field = Field {
            keeping,
            victim: Victim(sleep.expect("it is installed everywhere")),
            tcp: TcpListener::bind("127.0.0.1:0").expect("a free port"),
            udp: UdpSocket::bind("127.0.0.1:0").expect("a free port"),
            unix: UnixListener::bind(bench.path("socket")).expect("the folder is ours"),
            abstract_unix: UnixListener::bind_addr(&address).expect("a name of our own"),
            _terminal: terminal,
            _locked: locked,
            bench,
        };
        field.tcp.set_nonblocking(true).expect("a socket");
        field.udp.set_nonblocking(true).expect("a socket");
        field.unix.set_nonblocking(true).expect("a socket");
        field.abstract_unix.set_nonblocking(true).expect("a socket");
        field.write_facts(&terminal_path, &abstract_name);
        field
    }

    fn write_facts(&self, terminal: &Path, abstract_name: &str) {
        let at = |name: &str| self.bench.path(name).display().to_string();
        let facts = [
            ("keeping", self.keeping.to_string()),
            ("secret", SECRET.to_owned()),
            ("log", at("log")),
            ("seed", at("seed")),
            ("plan", at("plan.toml")),
            ("home", at("home")),
            ("scratch", at("tmp")),
            ("own", at("bots/hostile")),
            ("folder", at("bots")),
            ("shared", at("bots")),
            ("above", self.bench.folder().display().to_string()),
            ("other", at("other/faulty")),
            ("kit", at("other/kit")),
            ("led", at("other/led")),
            ("arbiter", at("programs/arbiter")),
            ("old", at("bots/old")),
            ("locked", at("bots/locked")),
            ("terminal", terminal.display().to_string()),
            ("tcp", self.tcp.local_addr().expect("it is bound").port().to_string()),
            ("udp", self.udp.local_addr().expect("it is bound").port().to_string()),
            ("socket", at("socket")),
            ("abstract", abstract_name.to_owned()),
            ("victim", self.victim.0.id().to_string()),
            // Some number of this process's, for names that the whole machine shares.
            ("key", (u64::from(self.victim.0.id()) * 200).to_string()),
        ];
        let lines: Vec<String> =
            facts.iter().map(|(name, value)| format!("{name}={value}\n")).collect();
        self.bench.write("bots/facts", lines.concat());
    }

    /// A folder with a bot that tries every attack.
    pub(crate) fn hostile_folder(&self) -> String {
        let marker = self.bench.marker();
        let command =
            format!("command = ['./hostile', './facts', 'single', '{marker}', './script']\n");
        self.bench.write("bots/bot.toml", format!("name = 'single'\n{command}"));
        "./bots".to_owned()
    }

    /// The command of a bot that is hostile in this way.
    pub(crate) fn hostile(&self, how: &str) -> String {
        let at = |name: &str| self.bench.path(name).display().to_string();
        let marker = self.bench.marker();
        format!("{how}='{}' '{}' {how} {marker}", at("bots/hostile"), at("bots/facts"))
    }

    /// The command of another bot.
    pub(crate) fn harmless(&self) -> String {
        let program = self.bench.path("other/faulty");
        format!("other='{}' ok {}", program.display(), self.bench.marker())
    }

    /// Attacks that the bot lists.
    pub fn listed(&self) -> Vec<String> {
        let listed = run(Command::new(self.bench.path("bots/hostile")).arg("--list"));
        listed.stdout.lines().map(str::to_owned).collect()
    }

    /// Plays some games of two bots, to their end, with anything that they try.
    pub(crate) fn play(&self, games: &str, bots: [String; 2]) {
        // The shell becomes the referee, whose number is known before any bot is started.
        let script = "echo referee=$$ >>bots/facts; exec programs/arbiter \"$@\"";
        let mut command = self.bench.command("/bin/sh");
        command.env("HOME", self.bench.path("home"));
        command.args(["-c", script, "arbiter", "match", "--game", "tablic", "--quiet"]);
        command.args(["--time-limit", "280s", "--games", games, "--log", "log"]);
        command.args(["--file-size", &self.room_for_the_referee()]).args(bots);
        run(command.with_keeping(self.keeping)).without_error();
        self.bench.verify(&self.bench.path("log"));
        for game in log::games(&self.bench.path("log")) {
            assert_eq!(game["result"]["ending"], "played", "{game}");
        }
    }

    /// The size of the files that a bot may write.
    ///
    /// One attack puts a changed copy of the referee's program in its place. Unoptimized, the
    /// program is larger than a bot's file may be by default, and that limit would hide whether
    /// the folder is closed to the bot.
    fn room_for_the_referee(&self) -> String {
        let program = fs::metadata(self.bench.path("programs/arbiter")).expect("it was copied");
        format!("{}MiB", 2 * program.len().div_ceil(1 << 20))
    }

    /// Looks at what attacks must have changed, and others must not.
    pub(crate) fn check_effects(&self, is_got: &dyn Fn(&str) -> bool) {
        let content = |name: &str| fs::read_to_string(self.bench.path(name)).expect("it is ours");
        let is_spoiled = |name| content(name).contains(SPOILED);
        let exists = |name| self.bench.path(name).exists();
        let effects = [
            ("write-seed", is_spoiled("seed")),
            ("write-plan", is_spoiled("plan.toml")),
            ("write-home", is_spoiled("home/private")),
            ("add-to-own-folder", exists("bots/added")),
            ("connect-to-loopback", self.tcp.accept().is_ok()),
            ("send-to-loopback", self.udp.recv(&mut [0; 8]).is_ok()),
            ("connect-to-socket-file", self.unix.accept().is_ok()),
            ("connect-to-abstract-socket", self.abstract_unix.accept().is_ok()),
        ];
        for (name, effect) in effects {
            assert_eq!(effect, is_got(name), "{name} has an effect");
        }
    }

    /// No process of the bots and no scratch folder is left, and the victim lives.
    pub(crate) fn assert_nothing_left(&self) {
        processes::wait_for_none(self.bench.marker());
        let left = fs::read_dir(self.bench.scratch()).expect("it is ours").count();
        assert_eq!(left, 0, "scratch folders are left");
        let process = format!("/proc/{}", self.victim.0.id());
        let command = fs::read(Path::new(&process).join("cmdline")).unwrap_or_default();
        assert!(command.starts_with(b"sleep"), "the other process has ended");
    }
}

/// Files in the folder of the hostile bot that lead to the folder of the other one.
fn lead_out(bench: &Bench) {
    for folder in ["other/kit/bin", "other/kit/lib", "bots/venv"] {
        fs::create_dir_all(bench.path(folder)).expect("the folder is ours");
    }
    bench.write("other/kit/lib/weights", SECRET);
    for program in ["other/kit/bin/python3", "other/led"] {
        bench.copy(&bench.program("faulty"), program);
    }
    symlink("../other", bench.path("bots/link")).expect("the folder is ours");
    let at = |name: &str| bench.path(name).display().to_string();
    bench.write("bots/venv/pyvenv.cfg", format!("home = {}\n", at("other/kit/bin")));
    bench.write("bots/script", format!("#!{}\n", at("other/led")));
}

fn compile(source: &Path, program: &Path) {
    let files = SOURCES.iter().chain([&CHANNELS]).map(|(name, _)| source.join(name));
    let files = files.filter(|file| file.extension().is_some_and(|it| it == "c"));
    let words = ["-O1", "-Wall", "-Wextra", "-D_GNU_SOURCE", "-o"];
    let mut command = Command::new("cc");
    let built = command.args(words).arg(program).args(files).arg("-lrt").output();
    let built = built.expect("the compiler starts");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
}

/// A terminal without a user, and its path.
fn terminal() -> (OwnedFd, PathBuf) {
    let keyboard = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&keyboard).and_then(|()| unlockpt(&keyboard)).expect("it is ours");
    let name = ptsname(&keyboard, Vec::new()).expect("it has a name");
    let path = Path::new(OsStr::from_bytes(name.as_bytes())).to_owned();
    (keyboard, path)
}
