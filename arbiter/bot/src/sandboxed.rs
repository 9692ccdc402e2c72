//! Finds what a bot may have missed outside of what it sees: hints for the user who runs it.
//!
//! Its standard error names files, modules and libraries. A hint is given only for
//! what is there for the user and not for the bot, and never for what is kept from all bots. It says
//! that a file is there, so it goes to the user alone, and not to the author of a submission.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rules::{FailureCause, Signal, SignalName, StopCause, Verdict};
use sandbox::isolation::Layer;
use sandbox::{PathVisibility, Program, Supervisor, Visibility};
use text::printable;
use text::shell::word;

use crate::advice::{FaultSymptoms, Pitfalls, advice};
use crate::contender::Contender;
use crate::grants::{Grant, Permission};
use crate::manifest::BotFolder;
use crate::stderr_lines::{StderrLines, modules_in, paths_in};

/// The most places that are looked at for one fault.
const MOST_PLACES: usize = 2000;

/// The endings of files that programs leave out where they name a module.
const ENDINGS: [&str; 9] = ["", ".py", ".js", ".cjs", ".mjs", ".json", ".node", ".rb", ".lua"];

/// The most bytes of a program to search for the folders of its libraries.
const SEARCHED: u64 = 16 << 20;

/// A bot that is kept from a part of the machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SandboxedBot {
    name: String,
    command: String,
    what: ProgramRole,
    program: PathBuf,
    pitfalls: Pitfalls,
    folders: Vec<PathBuf>,
    outlook: Visibility,
}

/// The part of a bot that runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ProgramRole {
    Program,
    /// Its program, where a manifest can ask for what it needs.
    OfManifest,
    Build,
}

impl ProgramRole {
    fn name(self) -> &'static str {
        match self {
            ProgramRole::Program | ProgramRole::OfManifest => "bot",
            ProgramRole::Build => "build",
        }
    }
}

/// All bots of one run that are kept from a part of the machine, by their names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SandboxedBots(Arc<BTreeMap<String, SandboxedBot>>);

impl SandboxedBots {
    /// These bots under this supervisor.
    pub fn new(contenders: &[Contender], supervisor: Supervisor) -> SandboxedBots {
        let named = |bot: &Contender| Some((bot.name.clone(), SandboxedBot::new(bot, supervisor)?));
        SandboxedBots(Arc::new(contenders.iter().filter_map(named).collect()))
    }

    /// The files of this run that some of them see, since this machine cannot make them empty.
    pub fn exposed(&self) -> BTreeSet<&Path> {
        let outlooks = self.0.values().map(|sandboxed| &sandboxed.outlook);
        outlooks.flat_map(Visibility::exposed).map(PathBuf::as_path).collect()
    }

    /// Returns true if anything of this run is made empty for one: that has to be there before its keeper is.
    pub fn mask_any(&self) -> bool {
        self.0.values().any(|sandboxed| sandboxed.outlook.masks_any())
    }

    pub fn get(&self, name: &str) -> Option<&SandboxedBot> {
        self.0.get(name)
    }
}

/// A hint after a fault, in one line: something outside of what the bot sees, or a common mistake.
pub fn hint(
    sandboxed: Option<&SandboxedBot>,
    seen: FaultSymptoms<'_>,
) -> Option<Cow<'static, str>> {
    let is_fault = !matches!(seen.verdict, Verdict::Ok | Verdict::Void);
    let pitfall = sandboxed.filter(|_| is_fault).and_then(|bot| bot.pitfalls.hint(seen.stderr));
    if pitfall.is_some() {
        return pitfall.map(Cow::Owned);
    }
    let missed = sandboxed.filter(|_| is_fault);
    let missed = missed.and_then(|sandboxed| sandboxed.missed(seen.stderr, seen.cause));
    missed.map(Cow::Owned).or_else(|| advice(seen).map(Cow::Borrowed))
}

/// The parts of the machine that bots are kept from, as far as their authors may know.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Restrictions {
    pub network: bool,
    /// They can write to few folders.
    pub files: bool,
    /// Calls to the kernel are refused to them.
    pub calls: bool,
}

impl Restrictions {
    /// Those of a bot under these layers, which was granted the network or not.
    pub fn of_layers(on: &[Layer], has_network: bool) -> Restrictions {
        let has = |layers: &[Layer]| layers.iter().any(|layer| on.contains(layer));
        Restrictions {
            network: has(&[Layer::Network, Layer::Seccomp]) && !has_network,
            files: has(&[Layer::Files, Layer::Landlock]),
            calls: has(&[Layer::Seccomp]),
        }
    }

    /// What a bot may have missed, by its standard error and its end.
    fn missed(self, stderr: &[u8], cause: Option<&FailureCause>) -> Option<&'static str> {
        let lines = StderrLines::new(stderr);
        let is_refused = lines.want_a_call() || is_refused_a_call(cause);
        match self {
            Restrictions { network: true, .. } if lines.want_the_network() => Some(OFFLINE),
            Restrictions { files: true, .. } if lines.want_to_write() => Some(READ_ONLY),
            Restrictions { calls: true, .. } if is_refused => Some(NO_CALL),
            _ => None,
        }
    }
}

const OFFLINE: &str =
    "this bot has no network: bots play offline, so put everything they need in their folder";
const READ_ONLY: &str = "isolated bots can write only to their scratch folder and /tmp";
const NO_CALL: &str = "the sandbox may have blocked a system call";

/// A hint for the author of a bot that somebody else runs, in one line. It says nothing about the files of the
/// machine.
pub fn hint_for_author(barriers: Restrictions, seen: FaultSymptoms<'_>) -> Option<&'static str> {
    let is_fault = !matches!(seen.verdict, Verdict::Ok | Verdict::Void);
    let missed = is_fault.then(|| barriers.missed(seen.stderr, seen.cause)).flatten();
    missed.or_else(|| advice(seen))
}

impl SandboxedBot {
    /// The parts of the machine that this bot is kept from.
    pub fn barriers(&self) -> Restrictions {
        let Visibility { is_offline, is_filtered, .. } = self.outlook;
        Restrictions { network: is_offline, files: self.outlook.is_confined(), calls: is_filtered }
    }

    /// A bot under this supervisor; none if it does not run on this machine.
    pub fn new(contender: &Contender, supervisor: Supervisor) -> Option<SandboxedBot> {
        let Contender { name, command, sight, .. } = contender;
        let program = contender.program()?;
        let outlook = supervisor.visibility(program, sight);
        let what = match sight.folder {
            Some(_) => ProgramRole::OfManifest,
            None => ProgramRole::Program,
        };
        Some(SandboxedBot {
            pitfalls: contender.pitfalls.clone(),
            ..SandboxedBot::with(name, command, what, program, outlook)
        })
    }

    pub fn of_build(
        name: &str,
        folder: &BotFolder,
        program: &Program,
        outlook: Visibility,
    ) -> SandboxedBot {
        SandboxedBot::with(name, &folder.typed, ProgramRole::Build, program, outlook)
    }

    fn with(
        name: &str,
        command: &str,
        what: ProgramRole,
        program: &Program,
        outlook: Visibility,
    ) -> SandboxedBot {
        let mut folders = Vec::new();
        for file in program.own_files() {
            let real = file.canonicalize().ok();
            for folder in [Some(file), real].into_iter().flatten() {
                folders.extend(folder.parent().map(Path::to_path_buf));
            }
        }
        folders.dedup();
        SandboxedBot {
            name: name.to_owned(),
            command: command.to_owned(),
            what,
            program: program.path().to_path_buf(),
            pitfalls: Pitfalls::default(),
            folders,
            outlook,
        }
    }

    /// The thing that it may have missed, and the option that grants it, by its standard error and
    /// its end.
    pub fn missed(&self, stderr: &[u8], cause: Option<&FailureCause>) -> Option<String> {
        let lines = StderrLines::new(stderr);
        self.file(&lines)
            .or_else(|| {
                (self.outlook.is_offline && lines.want_the_network()).then(|| self.network())
            })
            .or_else(|| {
                (self.outlook.is_confined() && lines.want_to_write()).then(|| self.read_only())
            })
            .or_else(|| {
                let is_refused = lines.want_a_call() || is_refused_a_call(cause);
                (self.outlook.is_filtered && is_refused).then(|| self.call())
            })
    }

    /// The first file, module or library that it looked for in vain.
    fn file(&self, lines: &StderrLines) -> Option<String> {
        if !self.outlook.is_confined() {
            return None;
        }
        let mut left = MOST_PLACES;
        let mut try_place = |path: &Path, granted: &Path| {
            left = left.checked_sub(1)?;
            match self.outlook.finds(path) {
                PathVisibility::Alike => None,
                PathVisibility::NotShown => self.not_shown(path, granted),
                PathVisibility::NotReadable => Some(not_readable(path)),
            }
        };
        for line in lines.of_missing() {
            let mut paths = paths_in(line).into_iter().map(Path::new);
            if let Some(hint) = paths.find_map(|path| try_place(path, path)) {
                return Some(hint);
            }
            let found = modules_in(line).into_iter().find_map(|module| {
                self.places_of(module)
                    .into_iter()
                    .find_map(|(path, granted)| try_place(&path, &granted))
            });
            if found.is_some() {
                return found;
            }
        }
        let library = lines.missing_library()?;
        self.folders_of_libraries()
            .map(|folder| folder.join(library))
            .find_map(|path| try_place(&path, &path))
    }

    /// Possible places of a module, each with what would have to be granted.
    fn places_of(&self, module: &str) -> Vec<(PathBuf, PathBuf)> {
        let mut places = Vec::new();
        for folder in &self.folders {
            for ending in ENDINGS {
                // Without `./` in it.
                let path = folder.join(format!("{module}{ending}")).components().collect();
                places.push((PathBuf::clone(&path), path));
            }
            // Packages need others beside them.
            for above in folder.ancestors() {
                let packages = above.join("node_modules");
                places.push((packages.join(module), packages));
            }
        }
        places
    }

    /// Folders where a library may be: beside the program, and where the program says.
    fn folders_of_libraries(&self) -> impl Iterator<Item = PathBuf> {
        let own = self.program.parent().unwrap_or(Path::new("/")).to_path_buf();
        let mut text = Vec::new();
        if let Ok(file) = File::open(&self.program) {
            // An unreadable program names no folders.
            let _ = file.take(SEARCHED).read_to_end(&mut text);
        }
        let named: Vec<PathBuf> = text
            .split(|byte| *byte == 0)
            .filter_map(|text| str::from_utf8(text).ok())
            .flat_map(|text| text.split(':'))
            .filter_map(|part| match part.strip_prefix("$ORIGIN") {
                Some(rest) => Some(own.join(rest.trim_start_matches('/'))),
                None => part.starts_with('/').then(|| PathBuf::from(part)),
            })
            .take(MOST_PLACES)
            .collect();
        [own.clone(), own.join("lib"), own.join("../lib")].into_iter().chain(named)
    }

    fn not_shown(&self, path: &Path, granted: &Path) -> Option<String> {
        // A link is shown with what it leads to, but `..` in an option would leave links out.
        let granted = match granted.iter().any(|part| part == "..") {
            true => granted.canonicalize().ok()?,
            false => granted.to_path_buf(),
        };
        let grant = Grant::new(&self.name, Permission::Read(granted.clone()));
        grant.to_string().parse::<Grant>().ok()?;
        let asks = format!("read = [{}]", toml::Value::String(granted.to_str()?.to_owned()));
        let path = printable(path.to_str()?);
        Some(self.granting(
            &format!("`{path}` exists, but is hidden from the {}", self.what.name()),
            &grant,
            &asks,
        ))
    }

    fn network(&self) -> String {
        let grant = Grant::new(&self.name, Permission::Network);
        let missed = format!("this {} has no network", self.what.name());
        self.granting(&missed, &grant, "network = true")
    }

    /// A hint that ends with what to do.
    fn granting(&self, missed: &str, grant: &Grant, asks: &str) -> String {
        let option = grant.option();
        let manifest = match self.what {
            ProgramRole::OfManifest => {
                format!("; request it in bot.toml with `{}`", printable(asks))
            }
            ProgramRole::Program => String::new(),
            ProgramRole::Build => return format!("{missed}: pass --allow {option}"),
        };
        let bot = self.typed();
        format!(
            "{missed}: pass --allow {option}{manifest}; `arbiter sandbox {bot} -- sh` opens a \
             shell inside"
        )
    }

    fn read_only(&self) -> String {
        match self.what {
            ProgramRole::Program | ProgramRole::OfManifest => READ_ONLY,
            ProgramRole::Build => {
                "isolated builds can write only to the bot's folder and /tmp; --isolation off \
                 lifts this"
            }
        }
        .to_owned()
    }

    fn call(&self) -> String {
        if self.what == ProgramRole::Build {
            return format!("{NO_CALL}: try --isolation off");
        }
        let bot = self.typed();
        format!("{NO_CALL}: try `arbiter sandbox {bot} -- COMMAND`, or --isolation off")
    }

    /// The bot as a word of a command.
    fn typed(&self) -> String {
        word(Path::new(&self.command))
    }
}

/// Returns true if the kernel has ended it for a call that it may not make.
fn is_refused_a_call(cause: Option<&FailureCause>) -> bool {
    let sys = Some(SignalName::Sys);
    matches!(cause, Some(FailureCause::Stopped(StopCause::Signal(Signal { name, .. }))) if *name == sys)
}

fn not_readable(path: &Path) -> String {
    let path = printable(&path.to_string_lossy());
    format!(
        "`{path}` is not readable by the sandbox user `nobody`: chmod o+r, and o+x for its parent \
         folders"
    )
}
