//! The supervisor of this system: who starts programs and how they are kept apart, and a program under it.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;
use std::{env, io};

use super::start::StartError;
use crate::call::{Call, CallEnd, Observation};
use crate::isolation::{BotSandbox, BuildFolder, Isolation, Layer, Layers};
#[cfg(target_os = "linux")]
use crate::keeper::{self, LinuxProgram};
use crate::limits::Limits;
use crate::portable::{self, PortableProgram};
use crate::program::{self, Program};
use crate::request::{CallInput, CancellationCheck, LeftFiles, PonderPermission};
use crate::view::{ViewRules, Visibility};
#[cfg(target_os = "linux")]
use crate::{layers, own_program};

/// The environment variable that chooses the supervisor by its name.
pub const SUPERVISOR_VARIABLE: &str = "ARBITER_SUPERVISOR";

/// A way to start programs and see them to their end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Supervisor {
    backend: Backend,
    isolation: Isolation,
    ponder: PonderPermission,
}

/// Why nothing keeps bots apart.
const NO_KEEPERS: &str = "only the supervisor for Linux keeps bots apart";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Backend {
    /// A keeper for each of them.
    #[cfg(target_os = "linux")]
    Linux,
    /// The referee, with a thread for each pipe and a wait with a limit.
    Portable,
}

impl Backend {
    /// Every one of this system, the best first.
    const ALL: &[Backend] = &[
        #[cfg(target_os = "linux")]
        Backend::Linux,
        Backend::Portable,
    ];

    /// The best that there is: a program that uses this as a library serves as no keeper.
    fn best() -> Backend {
        #[cfg(target_os = "linux")]
        if own_program::can_be_had() {
            return Backend::Linux;
        }
        Backend::Portable
    }

    fn name(self) -> &'static str {
        match self {
            #[cfg(target_os = "linux")]
            Backend::Linux => "linux",
            Backend::Portable => "portable",
        }
    }
}

impl Supervisor {
    /// The supervisor that `ARBITER_SUPERVISOR` names, or this system's best, with this isolation.
    ///
    /// # Errors
    ///
    /// Fails if the variable is set to anything else.
    pub fn from_env(isolation: Isolation) -> Result<Supervisor, String> {
        match env::var_os(SUPERVISOR_VARIABLE) {
            Some(name) => Supervisor::named(&name, isolation),
            None => Ok(Supervisor {
                backend: Backend::best(),
                isolation,
                ponder: PonderPermission::Never,
            }),
        }
    }

    /// The supervisor of this name, `linux` or `portable`, with this isolation.
    ///
    /// # Errors
    ///
    /// Fails if this system has none of that name.
    pub fn named(name: &OsStr, isolation: Isolation) -> Result<Supervisor, String> {
        Backend::ALL
            .iter()
            .find(|backend| backend.name() == name)
            .map(|&backend| Supervisor { backend, isolation, ponder: PonderPermission::Never })
            .ok_or_else(|| {
                let found = program::printable_word(name);
                format!(
                    "unknown supervisor `{found}` in ARBITER_SUPERVISOR, expected {}",
                    expected()
                )
            })
    }

    /// Sets whether programs that live on may think between their turns.
    pub fn pondering(self, ponder: PonderPermission) -> Supervisor {
        Supervisor { ponder, ..self }
    }

    /// The isolation that it was asked for.
    pub fn isolation(self) -> Isolation {
        self.isolation
    }

    /// The layers that keep bots apart on this machine, found out once by starting a keeper for nothing;
    /// none where no isolation is asked for.
    pub fn layers(self) -> Result<&'static Layers, String> {
        static NONE: LazyLock<Layers> = LazyLock::new(Layers::default);
        static ELSEWHERE: LazyLock<Layers> = LazyLock::new(|| Layers::none(NO_KEEPERS));
        match (self.isolation, self.backend) {
            (Isolation::Off, _) => Ok(&NONE),
            (Isolation::Auto | Isolation::Strict, Backend::Portable) => Ok(&ELSEWHERE),
            #[cfg(target_os = "linux")]
            (Isolation::Auto | Isolation::Strict, Backend::Linux) => keeper::layers(),
        }
    }

    /// A program that it looks after, in a scratch folder; it is not started yet.
    #[cfg_attr(
        not(target_os = "linux"),
        expect(unused_variables, reason = "only keepers show anything")
    )]
    pub fn supervise(self, program: &Program, view_rules: &ViewRules) -> SupervisedProgram {
        SupervisedProgram(match self.backend {
            #[cfg(target_os = "linux")]
            Backend::Linux => {
                let kept =
                    LinuxProgram::new(program, self.isolation, view_rules).pondering(self.ponder);
                Implementation::Kept(Box::new(kept))
            }
            Backend::Portable => {
                Implementation::Portable(Box::new(PortableProgram::new(program, self.ponder)))
            }
        })
    }

    /// The outlook of a program on the machine, as far as it can be told without starting the program.
    pub fn visibility(self, program: &Program, view_rules: &ViewRules) -> Visibility {
        let on = self.layers().map(|layers| layers.on.as_slice()).unwrap_or_default();
        Visibility::new(program, view_rules, on)
    }

    /// The owner, by number, of files that isolated programs write, if it is another user than the
    /// one who runs this.
    #[cfg(target_os = "linux")]
    pub fn owner_of_bots_files(self) -> Option<u32> {
        match self.backend {
            Backend::Linux if self.isolation != Isolation::Off => layers::user_besides(),
            _ => None,
        }
    }

    /// Returns true if keepers start programs, which alone keep them apart.
    pub fn has_keepers(self) -> bool {
        self.backend != Backend::Portable
    }

    /// The surroundings of a program.
    pub fn sandbox_profile(
        self,
        program: &Program,
        view_rules: &ViewRules,
    ) -> Result<BotSandbox, String> {
        match self.backend {
            #[cfg(target_os = "linux")]
            Backend::Linux => {
                LinuxProgram::new(program, self.isolation, view_rules).sandbox_profile()
            }
            Backend::Portable => {
                let _ = (program, view_rules);
                Err(NO_KEEPERS.to_owned())
            }
        }
    }

    /// Runs a command where a program would run, on the standard streams of this process and without
    /// a limit of time, until it ends or `stop` is set; then there is no end to tell of.
    ///
    /// # Errors
    ///
    /// As [`sandbox_profile`](Supervisor::sandbox_profile), and if the keeper is gone.
    pub fn attend(
        self,
        program: &Program,
        view_rules: &ViewRules,
        command: &[OsString],
        limits: &Limits,
        stop: &AtomicBool,
    ) -> Result<Option<CallEnd>, String> {
        match self.backend {
            #[cfg(target_os = "linux")]
            Backend::Linux => {
                LinuxProgram::new(program, self.isolation, view_rules).attend(command, limits, stop)
            }
            Backend::Portable => {
                let _ = (program, view_rules, command, limits, stop);
                Err(NO_KEEPERS.to_owned())
            }
        }
    }

    /// Its name: `linux` or `portable`.
    pub fn name(self) -> &'static str {
        self.backend.name()
    }

    /// Runs a program once in a copy of a folder, kept apart like a bot. Where the machine allows it,
    /// the copy lies where the folder lies, for this program alone. One that is not wanted any more is ended, and
    /// what is seen of it is a fault of the referee.
    ///
    /// Only [keepers](Supervisor::has_keepers) can do that.
    #[cfg(target_os = "linux")]
    pub fn run_build(
        self,
        build_folder: &BuildFolder,
        program: &Program,
        view_rules: &ViewRules,
        limits: Limits,
        wanted: CancellationCheck<'_>,
    ) -> Observation {
        let (isolation, place) = (self.isolation, self.place_of_copies());
        let mut kept = LinuxProgram::in_build_folder(
            program,
            isolation,
            view_rules,
            build_folder.clone(),
            place,
        );
        kept.ask_while(wanted, CallInput::Input(b""), &limits)
    }

    /// The path under which a program finds the build folder in which it runs.
    #[cfg(target_os = "linux")]
    pub fn finds(self, build_folder: &BuildFolder) -> &Path {
        match self.place_of_copies() {
            layers::CopyPlace::Folder => &build_folder.folder,
            layers::CopyPlace::Copy => &build_folder.copy,
        }
    }

    #[cfg(target_os = "linux")]
    fn place_of_copies(self) -> layers::CopyPlace {
        match self.layers() {
            Ok(layers) if layers.on.contains(&Layer::Files) => layers::CopyPlace::Folder,
            _ => layers::CopyPlace::Copy,
        }
    }

    /// Runs a program once in a folder that is there, without any isolation.
    pub fn run_in(
        self,
        folder: &Path,
        program: &Program,
        request: &[u8],
        limits: Limits,
    ) -> Observation {
        match self.backend {
            #[cfg(target_os = "linux")]
            Backend::Linux => LinuxProgram::in_folder(program, folder).ask_while(
                CancellationCheck::ALWAYS,
                CallInput::Input(request),
                &limits,
            ),
            Backend::Portable => portable::run(&Call { program, scratch: folder, request, limits }),
        }
    }
}

fn expected() -> String {
    let names: Vec<_> = Backend::ALL.iter().map(|it| format!("`{}`", it.name())).collect();
    names.join(" or ")
}

/// A program in a scratch folder, which is removed with everything in it when this is dropped.
#[derive(Debug)]
pub struct SupervisedProgram(pub(super) Implementation);

/// A program of one of the supervisors.
#[derive(Debug)]
pub(super) enum Implementation {
    /// A keeper.
    #[cfg(target_os = "linux")]
    Kept(Box<LinuxProgram>),
    /// The referee itself.
    Portable(Box<PortableProgram>),
}

/// Calls a method of a program, whichever supervisor it has.
macro_rules! dispatch {
    ($self:ident, $program:ident => $call:expr) => {
        match &mut $self.0 {
            #[cfg(target_os = "linux")]
            Implementation::Kept($program) => $call,
            Implementation::Portable($program) => $call,
        }
    };
}

impl SupervisedProgram {
    /// Starts the program, asks it once, and returns when it has ended; asked by a
    /// [turn](CallInput::Turn), one that has answered lives on.
    ///
    /// This blocks for the time limit at most, and for what it takes to end the program.
    pub fn ask(&mut self, request: CallInput<'_>, limits: &Limits) -> Observation {
        self.ask_while(CancellationCheck::ALWAYS, request, limits)
    }

    /// True if [`ask_while`](SupervisedProgram::ask_while) ends a program whose answer is not wanted any more.
    pub fn ends_on_request(&self) -> bool {
        match &self.0 {
            #[cfg(target_os = "linux")]
            Implementation::Kept(_) => true,
            Implementation::Portable(_) => false,
        }
    }

    /// Asks the program as [`ask`](SupervisedProgram::ask) does, and ends it once its answer is not wanted any more, where
    /// [it can](SupervisedProgram::ends_on_request): then it is as if the machine had failed.
    pub fn ask_while(
        &mut self,
        wanted: CancellationCheck<'_>,
        request: CallInput<'_>,
        limits: &Limits,
    ) -> Observation {
        match &mut self.0 {
            #[cfg(target_os = "linux")]
            Implementation::Kept(kept) => kept.ask_while(wanted, request, limits),
            Implementation::Portable(portable) => {
                let _ = wanted;
                portable.ask(request, limits)
            }
        }
    }

    /// Ends the program if it lives on: its input ends, and a moment later it is killed.
    pub fn game_over(&mut self) {
        dispatch!(self, program => program.game_over());
    }

    /// Tells whether the program can be started at all: starts it with empty input, and kills it at
    /// once.
    ///
    /// This does not tell whether the program works, nor whether a program that it starts in
    /// turn exists: `#!/usr/bin/env nosuch` can be started.
    ///
    /// # Errors
    ///
    /// [`StartError::Program`] if it cannot be started, [`StartError::Referee`] if that could
    /// not be found out.
    pub fn probe(&mut self) -> Result<(), StartError> {
        dispatch!(self, program => program.probe())
    }

    /// Gives the program a new, empty folder.
    pub fn renew_folder(&mut self) -> io::Result<()> {
        dispatch!(self, program => program.renew_folder())
    }

    /// The memory that a program that lives on has between two turns, in bytes, as its limit counts it; none if it does
    /// not run, or is not limited here.
    pub fn memory(&mut self) -> Option<u64> {
        match &mut self.0 {
            #[cfg(target_os = "linux")]
            Implementation::Kept(kept) => kept.memory(),
            Implementation::Portable(_) => None,
        }
    }

    /// Files that the program has left in its folder.
    pub fn left_files(&mut self) -> LeftFiles {
        dispatch!(self, program => program.left_files())
    }

    /// Takes what its user should know and no game depends on, one line each: scratch folders that
    /// could not be removed.
    pub fn take_warnings(&mut self) -> Vec<String> {
        dispatch!(self, program => program.take_warnings())
    }

    /// Removes what it leaves; it is started no more.
    pub fn close(&mut self) {
        dispatch!(self, program => program.close());
    }
}
