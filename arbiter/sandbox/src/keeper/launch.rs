//! A program that is ready to be started again and again: all that need not be asked or made for
//! each start is asked and made once.

use std::env;
use std::ffi::{CString, OsStr, OsString};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use rustix::io::{Errno, ioctl_fionbio};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Resource, Rlimit, getrlimit};
use text::system_error;

use super::super::clock::Clock;
use super::super::layers::ChildUser;
use super::super::limits::Limits;
use super::super::memory::OomScore;
use super::super::program::printable_word;
use super::super::start::{StartError, blame};
use super::channel::KeeperSetup;
use super::clone::{self, CStrings, ChildStack, SpawnError, SpawnOrder, StartedChild};
use super::conversation;

/// Processes and threads above the limit that the system still allows. The keeper must see that a
/// program has exceeded the limit, which it cannot if the system stops the program there.
const SPARE_PROCESSES: u64 = 256;

/// Time to retry the start of a program that is open for writing.
const BUSY: Duration = Duration::from_secs(2);

/// Time before the next try.
const PAUSE: Duration = Duration::from_millis(10);

/// A program and what it is started with.
#[derive(Debug)]
pub(super) struct Launch {
    path: PathBuf,
    program: CString,
    arguments: Vec<CString>,
    variables: Vec<(OsString, OsString)>,
    own_variables: Vec<(OsString, OsString)>,
    /// The folder in which the program works, if not its scratch folder.
    build_folder: Option<PathBuf>,
    rights: ChildUser,
    /// True if the system counts the processes of this bot alone.
    counts_alone: bool,
    ceilings: Ceilings,
    stack: ChildStack,
    score: OomScore,
}

/// The keeper's own limits, which no program can exceed.
#[derive(Debug)]
struct Ceilings {
    /// In the order of [`RESOURCES`].
    hard: [Option<u64>; RESOURCES.len()],
    processors: u64,
}

/// Resources that are limited for each process.
const RESOURCES: [Resource; 6] = [
    Resource::Core,
    Resource::Fsize,
    Resource::Nofile,
    Resource::As,
    Resource::Cpu,
    Resource::Nproc,
];

/// A program that runs, and this side's ends of its pipes, which do not wait.
#[derive(Debug)]
pub(super) struct RunningProgram {
    pub(super) started: StartedChild,
    pub(super) pipes: conversation::Pipes,
}

impl Launch {
    /// Fails if a text of the program holds a NUL.
    pub(super) fn new(
        setup: KeeperSetup,
        build_folder: Option<PathBuf>,
        rights: ChildUser,
        counts_alone: bool,
        score: OomScore,
    ) -> Result<Launch, String> {
        let program = text(&setup.path)?;
        let words = [setup.path.clone()].into_iter().chain(setup.arguments);
        Ok(Launch {
            arguments: words.map(|word| text(&word)).collect::<Result<_, _>>()?,
            path: setup.path.into(),
            program,
            variables: setup.variables,
            own_variables: setup.own_variables,
            build_folder,
            rights,
            counts_alone,
            ceilings: Ceilings::new(),
            stack: ChildStack::new(),
            score,
        })
    }

    /// The user that the program runs as, where it is another one than the keeper's.
    pub(super) fn rights(&self) -> ChildUser {
        self.rights
    }

    /// Starts the program with these words behind its own.
    ///
    /// Says whose fault it is that it cannot be started.
    pub(super) fn start(
        &mut self,
        scratch: &Path,
        words: &[OsString],
        limits: &Limits,
    ) -> Result<RunningProgram, StartError> {
        let pipes = PipePairs::new().map_err(|error| {
            StartError::Referee(format!("cannot make pipes: {}", io::Error::from(error)))
        })?;
        let own = |why: String| StartError::Program(why);
        let words: Vec<CString> =
            words.iter().map(|word| text(word)).collect::<Result<_, _>>().map_err(own)?;
        let environment = self.environment(scratch).map_err(own)?;
        let folder = text(self.folder(scratch).as_os_str()).map_err(own)?;
        let arguments = self.arguments.iter().chain(&words).map(CString::as_c_str);
        let arguments = CStrings::new(arguments);
        let wanted = limits;
        let limits = self.ceilings.limits(wanted, self.counts_alone);
        let order = SpawnOrder {
            path: &self.program,
            arguments: &arguments,
            environment: &CStrings::new(environment.iter().map(CString::as_c_str)),
            folder: &folder,
            streams: [pipes.stdin.0.as_fd(), pipes.stdout.1.as_fd(), pipes.stderr.1.as_fd()],
            limits: &limits,
            rights: self.rights,
        };
        let mut started = self.score.raised(|| start_patiently(&order, &mut self.stack));
        if matches!(started, Err(SpawnError::Preparation(Errno::PERM))) {
            // The keeper's own limits were lowered since the last look.
            self.ceilings = Ceilings::new();
            let limits = self.ceilings.limits(wanted, self.counts_alone);
            let order = SpawnOrder { limits: &limits, ..order };
            started = self.score.raised(|| start_patiently(&order, &mut self.stack));
        }
        match started {
            Ok(started) => {
                let pipes = [pipes.stdin.1, pipes.stdout.0, pipes.stderr.0].map(Some);
                Ok(RunningProgram { started, pipes })
            }
            Err(failed) => Err(blamed(failed, &self.path, scratch, limits_address_space(&limits))),
        }
    }

    /// Starts a command in the place of the program, on these standard streams. A bare name is looked
    /// up on `PATH`, among the files that are to be seen from here.
    pub(super) fn start_command(
        &mut self,
        scratch: &Path,
        words: &[OsString],
        streams: [BorrowedFd<'_>; 3],
        limits: &Limits,
    ) -> Result<StartedChild, StartError> {
        let own = |why: String| StartError::Program(why);
        let arguments: Vec<CString> =
            words.iter().map(|word| text(word)).collect::<Result<_, _>>().map_err(own)?;
        let environment = self.environment(scratch).map_err(own)?;
        let folder = text(self.folder(scratch).as_os_str()).map_err(own)?;
        let limits = self.ceilings.limits(limits, self.counts_alone);
        let name = words.first().map_or(OsStr::new(""), OsString::as_os_str);
        for path in self.found_by(name) {
            let order = SpawnOrder {
                path: &text(path.as_os_str()).map_err(own)?,
                arguments: &CStrings::new(arguments.iter().map(CString::as_c_str)),
                environment: &CStrings::new(environment.iter().map(CString::as_c_str)),
                folder: &folder,
                streams,
                limits: &limits,
                rights: self.rights,
            };
            match self.score.raised(|| clone::start(&order, &mut self.stack)) {
                Ok(started) => return Ok(started),
                // As a shell does: the next folder may have one that can be started.
                Err(SpawnError::Program(Errno::NOENT | Errno::NOTDIR | Errno::ACCESS)) => {}
                Err(failed) => {
                    return Err(blamed(failed, &path, scratch, limits_address_space(&limits)));
                }
            }
        }
        Err(own(format!(
            "`{}` not found in the sandbox, or not executable there: use a path or a program on \
             PATH",
            printable_word(name)
        )))
    }

    /// The paths that the first word of a command may stand for.
    fn found_by(&self, name: &OsStr) -> Vec<PathBuf> {
        if name.is_empty() || name.as_bytes().contains(&b'/') {
            return vec![PathBuf::from(name)];
        }
        let path = self.variables.iter().find(|(variable, _)| variable == "PATH");
        let folders = path.map(|(_, value)| env::split_paths(value)).into_iter().flatten();
        folders.filter(|folder| folder.is_absolute()).map(|folder| folder.join(name)).collect()
    }

    /// The folder in which the program is started.
    fn folder<'a>(&'a self, scratch: &'a Path) -> &'a Path {
        self.build_folder.as_deref().unwrap_or(scratch)
    }

    fn environment(&self, scratch: &Path) -> Result<Vec<CString>, String> {
        // In a build folder, what is only for a while has a place of its own.
        let of_build_folder = self.build_folder.as_ref().map(|_| "TMPDIR");
        let of_folder = ["HOME", "ARBITER_SCRATCH"].into_iter().chain(of_build_folder);
        let of_folder = of_folder.map(|name| (name, scratch.as_os_str()));
        let given = |(name, value): &'_ (OsString, OsString)| (name.clone(), value.clone());
        let mut all: Vec<(OsString, OsString)> = self.variables.iter().map(given).collect();
        all.extend(of_folder.map(|(name, value)| (name.into(), value.to_owned())));
        all.push(("LANG".into(), "C.UTF-8".into()));
        all.retain(|(name, _)| !self.own_variables.iter().any(|(own, _)| own == name));
        all.extend(self.own_variables.iter().map(given));
        all.into_iter().map(|(name, value)| text(&[name, value].join(OsStr::new("=")))).collect()
    }
}

/// Starts a program, and tries again for a moment where its file or its interpreter is open for writing.
fn start_patiently(
    order: &SpawnOrder<'_>,
    stack: &mut ChildStack,
) -> Result<StartedChild, SpawnError> {
    let clock = Clock::start(BUSY);
    loop {
        let started = clone::start(order, stack);
        match started {
            Err(SpawnError::Program(Errno::TXTBSY)) if !clock.is_over() => thread::sleep(PAUSE),
            other => return other,
        }
    }
}

/// Whose fault it is that a program at this path was not started.
fn blamed(failed: SpawnError, path: &Path, scratch: &Path, is_limited: bool) -> StartError {
    let shown = printable_word(path.as_os_str());
    let (errno, doing) = match failed {
        // The system may not have room for the program in the address space that it is given.
        SpawnError::Program(Errno::NOMEM) if is_limited => {
            let why = "no room for it in the address space that it may take";
            return StartError::Program(format!("cannot start `{shown}`: {why}"));
        }
        SpawnError::Program(errno) => return blame(path, scratch, &errno.into()),
        SpawnError::Folder(errno) => (errno, "enter the folder of"),
        SpawnError::Preparation(errno) => (errno, "limit"),
        SpawnError::Child(errno) => (errno, "start"),
    };
    let why = system_error(io::Error::from(errno));
    StartError::Referee(format!("cannot {doing} `{shown}`: {why}"))
}

fn limits_address_space(limits: &[(Resource, Rlimit)]) -> bool {
    limits.iter().any(|(resource, _)| *resource == Resource::As)
}

fn text(text: &OsStr) -> Result<CString, String> {
    CString::new(text.as_bytes())
        .map_err(|_| format!("`{}` holds a NUL character", printable_word(text)))
}

impl Ceilings {
    fn new() -> Ceilings {
        let processors = thread::available_parallelism().map_or(1, usize::from) as u64;
        Ceilings { hard: RESOURCES.map(|resource| getrlimit(resource).maximum), processors }
    }

    /// The limits that the system keeps.
    fn limits(&self, limits: &Limits, counts_alone: bool) -> Vec<(Resource, Rlimit)> {
        let processes = u64::from(limits.processes).saturating_add(SPARE_PROCESSES);
        let wanted = [
            Some(0),
            Some(limits.file_bytes),
            Some(limits.open_files),
            limits.address_space,
            Some(self.cpu_seconds(limits)),
            counts_alone.then_some(processes),
        ];
        let all = RESOURCES.into_iter().zip(wanted).zip(self.hard);
        all.filter_map(|((resource, wanted), hard)| {
            let most = hard.map_or(wanted?, |hard| hard.min(wanted.unwrap_or(hard)));
            wanted.map(|_| (resource, Rlimit { current: Some(most), maximum: Some(most) }))
        })
        .collect()
    }

    /// After how many seconds of CPU time the kernel ends one process of a program.
    ///
    /// The keeper looks at the CPU time itself; this is for a process that it cannot see or for when
    /// it is not there. If only wall time counts, no program can use up this much within it, on all
    /// processors at once.
    fn cpu_seconds(&self, limits: &Limits) -> u64 {
        match limits.cpu {
            Some(limit) => {
                let whole = limit.as_secs() + u64::from(limit.subsec_nanos() > 0);
                whole.saturating_add(1)
            }
            None => limits.time.as_secs().saturating_add(2).saturating_mul(self.processors),
        }
    }
}

/// Three pipes, each the end that is read and the end that is written.
struct PipePairs {
    stdin: (OwnedFd, OwnedFd),
    stdout: (OwnedFd, OwnedFd),
    stderr: (OwnedFd, OwnedFd),
}

impl PipePairs {
    fn new() -> Result<PipePairs, Errno> {
        let pipe = || pipe_with(PipeFlags::CLOEXEC);
        let pipes = PipePairs { stdin: pipe()?, stdout: pipe()?, stderr: pipe()? };
        for own in [&pipes.stdin.1, &pipes.stdout.0, &pipes.stderr.0] {
            ioctl_fionbio(own, true)?;
        }
        Ok(pipes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_steps_in_after_the_keeper() {
        let ceilings = Ceilings { hard: [None; RESOURCES.len()], processors: 4 };
        let seconds = |ms| {
            let cpu = Some(Duration::from_millis(ms));
            ceilings.cpu_seconds(&Limits { cpu, ..Limits::default() })
        };
        assert_eq!((seconds(0), seconds(1), seconds(1000), seconds(1001)), (1, 2, 2, 3));
        let endless = Limits { time: Duration::MAX, ..Limits::default() };
        assert_eq!(ceilings.cpu_seconds(&endless), u64::MAX);
    }

    #[test]
    fn no_limit_is_above_that_of_the_keeper() {
        let ceilings = Ceilings { hard: [Some(10); RESOURCES.len()], processors: 1 };
        let all = ceilings.limits(&Limits::default(), true);
        let most = |resource| {
            let found = all.iter().find(|(other, _)| *other == resource);
            found.map(|(_, limit)| limit.maximum)
        };
        assert_eq!(most(Resource::Nofile), Some(Some(10)));
        assert_eq!(most(Resource::Core), Some(Some(0)));
        assert_eq!(most(Resource::As), None, "there is no limit on it");
    }
}
