//! The keepers of bots: small processes of this program, each of which starts one bot's program.
//!
//! # Theory of operation
//!
//! **One keeper for each bot and worker,** started before the first request and kept until the last.
//! It confines itself once, in ways that its children inherit, and then serves requests over one
//! socket: `channel.rs` says what goes through it. It alone starts the program, feeds, watches, kills
//! and reaps it. Its only children are the program and what the program has started, so it need not
//! find out whose a process is.
//!
//! **The referee's side** is `LinuxProgram`. It has a deadline of its own: a keeper that does not answer in
//! time, or that is gone, is killed, the answer is a fault of the machine, and another keeper takes its
//! place. The keeper's side is [`serve()`]. Where the socket ends, the referee is gone: then the keeper
//! ends its program, removes the scratch folder and itself.
//!
//! **How it is started.** Without an environment, and in a session of its own, so that no terminal is
//! there and no Ctrl-C reaches it. It resets the signals that the referee was started to ignore or
//! block. The program is this one, by `/proc/self/exe`: its file may be replaced meanwhile.

mod channel;
mod clone;
mod conversation;
mod launch;
mod remains;
mod resident;
mod run;
mod service;
mod user_command;
mod watch;
mod workplace;

pub use super::own_program::announce;
pub use service::serve;

use std::ffi::OsString;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use std::{env, fs, io};

use rustix::process::geteuid;
use text::system_error;

use super::call::{CallEnd, Observation};
use super::interpreter::is_32_bit;
use super::isolation::{
    BotSandbox, BuildFolder, FileView, Isolation, Layer, Layers, WritablePlace,
};
use super::layers::{ConfinementSetup, CopyPlace, system_folders, user_of_bots};
use super::limits::Limits;
use super::program::{Program, printable_word};
use super::request::{CallInput, CancellationCheck, LeftFiles, PonderPermission};
use super::scratch::Scratch;
use super::start::{StartError, inherited};
use super::view::{ViewRules, view};
use super::{guard, own_program, proc};
use channel::{
    Channel, KeeperReply, KeeperRequest, KeeperSetup, Message, PIECES, WorkingFolder, is_ready,
};

/// The word that makes the program a keeper.
pub const SUBCOMMAND: &str = "keeper";

/// The layers that a keeper gets on this machine, found out once. A failure is not kept: what the machine lacks just
/// now, it may have a moment later.
pub(super) fn layers() -> Result<&'static Layers, String> {
    static LAYERS: OnceLock<Layers> = OnceLock::new();
    if let Some(layers) = LAYERS.get() {
        return Ok(layers);
    }
    let mut kept = LinuxProgram::with(
        &Program::none(),
        Isolation::Auto,
        FileView::default(),
        WorkingFolder::Scratch,
        PathBuf::new(),
    );
    kept.post()?;
    Ok(LAYERS.get_or_init(|| kept.layers.clone()))
}

/// The most time for work outside the program's own time: to start, to kill, to remove.
const GRACE: Duration = Duration::from_secs(40);

/// The most time for a keeper to leave when it is sent away.
const FAREWELL: Duration = Duration::from_secs(12);

/// The most time until the referee notices that a program is not wanted any more.
const SLICE: Duration = Duration::from_millis(50);

/// The most that a keeper may say besides what it has read of its program, in bytes.
const LONGEST: u64 = 1 << 20;

/// The size of a scratch folder that lies in memory, in bytes, and its number of files.
const SCRATCH: (u64, u64) = (64 << 20, 10_000);

/// The room beside a build folder.
const SCRATCH_OF_BUILD: (u64, u64) = (2 << 30, 200_000);

#[derive(Debug)]
pub(super) struct LinuxProgram {
    setup: KeeperSetup,
    /// The keeper's folder on the disk; a keeper with files of its own does not use it.
    base: Option<Scratch>,
    post: Option<KeeperProcess>,
    /// True if the program was not started since it got its folder.
    is_fresh: bool,
    layers: Layers,
    warnings: Vec<String>,
}

#[derive(Debug)]
struct KeeperProcess {
    child: Child,
    channel: Channel,
}

impl LinuxProgram {
    /// A program that was not started yet, in a scratch folder.
    pub(super) fn new(
        program: &Program,
        isolation: Isolation,
        view_rules: &ViewRules,
    ) -> LinuxProgram {
        let view = match isolation {
            Isolation::Auto | Isolation::Strict => {
                let path = env::var_os("PATH").unwrap_or_default();
                view(program, view_rules, &env::split_paths(&path).collect::<Vec<_>>())
            }
            Isolation::Off => FileView::default(),
        };
        let folder = PathBuf::new();
        LinuxProgram::with(program, isolation, view, WorkingFolder::Scratch, folder)
    }

    /// The surroundings of its programs, once a keeper has made them.
    pub(super) fn sandbox_profile(&mut self) -> Result<BotSandbox, String> {
        self.post()?;
        let ConfinementSetup { isolation, view, scratch_bytes, scratch_files, .. } =
            &self.setup.confinement;
        let has = |layer| self.layers.on.contains(&layer);
        let is_apart = *isolation != Isolation::Off;
        let is_connected = !has(Layer::Network) && !has(Layer::Seccomp);
        Ok(BotSandbox {
            system: if is_apart { system_folders() } else { vec![PathBuf::from("/")] },
            paths: view.paths.clone(),
            writable: match (is_apart, has(Layer::Files)) {
                (false, _) => WritablePlace::Everywhere,
                (true, true) => {
                    WritablePlace::Memory { bytes: *scratch_bytes, files: *scratch_files }
                }
                (true, false) if has(Layer::Landlock) => WritablePlace::Scratch,
                (true, false) => WritablePlace::ScratchAndOpen,
            },
            user: if is_apart { user_of_bots() } else { geteuid().as_raw() },
            network: !is_apart || view.network || is_connected,
            layers: self.layers.clone(),
        })
    }

    /// Keeps the program in a folder that is there, without any isolation.
    pub(super) fn in_folder(program: &Program, folder: &Path) -> LinuxProgram {
        let (isolation, view) = (Isolation::Off, FileView::default());
        LinuxProgram::with(program, isolation, view, WorkingFolder::Given, folder.to_owned())
    }

    /// Keeps the program in a build folder, with room for what compilers put aside.
    pub(super) fn in_build_folder(
        program: &Program,
        isolation: Isolation,
        view_rules: &ViewRules,
        build_folder: BuildFolder,
        place: CopyPlace,
    ) -> LinuxProgram {
        let mut kept = LinuxProgram::new(program, isolation, view_rules);
        let confinement = &mut kept.setup.confinement;
        (confinement.build_folder, confinement.place) = (Some(build_folder), place);
        (confinement.scratch_bytes, confinement.scratch_files) = SCRATCH_OF_BUILD;
        kept
    }

    fn with(
        program: &Program,
        isolation: Isolation,
        view: FileView,
        workplace: WorkingFolder,
        base: PathBuf,
    ) -> LinuxProgram {
        let (scratch_bytes, scratch_files) = SCRATCH;
        let variables = inherited().map(|(name, value)| (name.into(), value)).collect();
        let setup = KeeperSetup {
            path: program.path().as_os_str().to_owned(),
            arguments: program.all_arguments().cloned().collect(),
            variables,
            own_variables: program.variables().to_vec(),
            confinement: ConfinementSetup {
                isolation,
                view,
                build_folder: None,
                place: CopyPlace::default(),
                base,
                scratch_bytes,
                scratch_files,
            },
            workplace,
            ponder: PonderPermission::Never,
        };
        LinuxProgram {
            setup,
            base: None,
            post: None,
            is_fresh: false,
            layers: Layers::default(),
            warnings: Vec::new(),
        }
    }

    /// Sets whether it may think between its turns.
    pub(super) fn pondering(mut self, ponder: PonderPermission) -> LinuxProgram {
        self.setup.ponder = ponder;
        self
    }

    /// Asks the program once, and ends it where its answer is not wanted any more.
    pub(super) fn ask_while(
        &mut self,
        wanted: CancellationCheck<'_>,
        request: CallInput<'_>,
        limits: &Limits,
    ) -> Observation {
        let (question, piece) = match request {
            CallInput::Input(bytes) => (KeeperRequest::Run { limits: *limits }, bytes),
            CallInput::Turn(bytes, end) => (KeeperRequest::Turn { limits: *limits, end }, bytes),
            CallInput::File { text, words, most } => {
                let (limits, words, most) = (*limits, words.to_vec(), most as u64);
                (KeeperRequest::RunWithFile { limits, words, most }, text)
            }
        };
        // Read of the program are two streams, and a file.
        let read = [limits.answer_bytes, limits.stderr_bytes, request.max_file_bytes()];
        let longest = read.iter().fold(LONGEST, |sum, bytes| sum.saturating_add(*bytes as u64));
        guard::look();
        let begun = Instant::now();
        match self.say(&question, piece, limits.time, longest, wanted) {
            Ok(Message { said: KeeperReply::Seen(seen), pieces: [stdout, stderr, file] }) => {
                Observation { stdout, stderr, file, ..*seen }
            }
            Ok(other) => Observation::without_output(
                CallEnd::Fault(unexpected(&other.said)),
                begun.elapsed(),
            ),
            Err(why) => Observation::without_output(CallEnd::Fault(why), begun.elapsed()),
        }
    }

    /// Starts the program for a moment.
    pub(super) fn probe(&mut self) -> Result<(), StartError> {
        match self.ask_plainly(&KeeperRequest::Probe).map_err(StartError::Referee)? {
            KeeperReply::Probed(Err(StartError::NotSeen(why))) => {
                Err(StartError::NotSeen(self.explained(why)))
            }
            KeeperReply::Probed(Ok(())) => self.has_calls(),
            KeeperReply::Probed(probed) => probed,
            other => Err(StartError::Referee(unexpected(&other))),
        }
    }

    /// Refuses a program that starts, and whose first call to the kernel would end it.
    fn has_calls(&self) -> Result<(), StartError> {
        let path = Path::new(&self.setup.path);
        if !self.layers.on.contains(&Layer::Seccomp) || !is_32_bit(path) {
            return Ok(());
        }
        Err(StartError::Program(format!(
            "cannot start `{}`: the sandbox does not support 32-bit programs; build the \
             program for 64 bits, or use --isolation off",
            printable_word(path.as_os_str())
        )))
    }

    /// Why a program was not seen, with a hint where it would be outside of its isolation.
    fn explained(&self, why: String) -> String {
        let is_there = fs::metadata(&self.setup.path).is_ok_and(|found| found.is_file());
        if self.layers.on.is_empty() || !is_there {
            return why;
        }
        format!(
            "{why}; it exists, but the sandbox user cannot read it: chmod o+r (o+x for parent \
             folders), or use --isolation off"
        )
    }

    /// Gives the program a new, empty folder.
    pub(super) fn renew_folder(&mut self) -> io::Result<()> {
        self.post().map_err(io::Error::other)?;
        if self.is_fresh {
            return Ok(());
        }
        match self.ask_plainly(&KeeperRequest::NewFolder).map_err(io::Error::other)? {
            KeeperReply::NewFolder { left_behind } => {
                self.warnings.extend(left_behind);
                self.is_fresh = true;
                Ok(())
            }
            KeeperReply::NoFolder(why) => Err(io::Error::other(why)),
            other => Err(io::Error::other(unexpected(&other))),
        }
    }

    /// Ends the program if it lives on.
    pub(super) fn game_over(&mut self) {
        if self.post.is_some() {
            // A keeper that does not answer is gone, and the program with it.
            let _ = self.ask_plainly(&KeeperRequest::GameOver);
        }
    }

    /// The memory of the program if it lives on, in bytes.
    pub(super) fn memory(&mut self) -> Option<u64> {
        self.post.as_ref()?;
        match self.ask_plainly(&KeeperRequest::Memory) {
            Ok(KeeperReply::Memory(bytes)) => bytes,
            // Its next turn says why.
            Ok(_) | Err(_) => None,
        }
    }

    /// Files that the program has left in its folder.
    pub(super) fn left_files(&mut self) -> LeftFiles {
        match self.ask_plainly(&KeeperRequest::Left) {
            Ok(KeeperReply::Left { files, name }) => LeftFiles { files, name },
            // It is for a note that no game depends on.
            Ok(_) | Err(_) => LeftFiles { files: 0, name: OsString::new() },
        }
    }

    pub(super) fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }

    /// Sends the keeper away, and removes what it leaves.
    pub(super) fn close(&mut self) {
        if let Some(post) = self.post.take() {
            post.dismiss();
        }
        if let Some(mut base) = self.base.take() {
            self.warnings.extend(base.remove().err().map(|left| left.to_string()));
        }
    }

    fn ask_plainly(&mut self, question: &KeeperRequest) -> Result<KeeperReply, String> {
        let said = self.say(question, b"", Duration::ZERO, LONGEST, CancellationCheck::ALWAYS);
        said.map(|message| message.said)
    }

    /// Puts a question to the keeper, which may take this time for the program; if it does not answer,
    /// it is no keeper any more.
    fn say(
        &mut self,
        question: &KeeperRequest,
        piece: &[u8],
        time: Duration,
        longest: u64,
        wanted: CancellationCheck<'_>,
    ) -> Result<Message<KeeperReply>, String> {
        self.post()?;
        self.is_fresh = false;
        let post = self.post()?;
        post.channel.allow(longest);
        let by = Instant::now().checked_add(time.saturating_add(GRACE));
        let sent = post.channel.send(question, [piece, b"", b""], by);
        if sent.is_ok() && !post.is_awaited(wanted, by) {
            // All that the program has started is gone before anyone goes on here.
            self.close();
            return Err("cancelled".to_owned());
        }
        match sent.and_then(|()| post.channel.receive_later(by)) {
            Ok(message) => Ok(message),
            Err(error) => {
                if let Some(post) = self.post.take() {
                    post.end();
                }
                self.base = None;
                Err(format!("the keeper of a program does not answer: {}", keeper_end_text(&error)))
            }
        }
    }

    /// The keeper, which is started if there is none.
    fn post(&mut self) -> Result<&mut KeeperProcess, String> {
        if self.post.is_none() {
            if self.setup.workplace == WorkingFolder::Scratch {
                let base = Scratch::new().map_err(|error| {
                    format!("cannot make a scratch folder: {}", system_error(error))
                })?;
                self.setup.confinement.base = base.path().to_owned();
                self.base = Some(base);
            }
            let (post, layers) = KeeperProcess::start(&self.setup)?;
            let missing = layers.missing();
            if self.setup.confinement.isolation == Isolation::Strict && !missing.is_empty() {
                post.end();
                let why = layers.refused.first().map_or("", |(_, why)| why);
                return Err(format!("isolation would lack {missing}: {why}"));
            }
            (self.post, self.is_fresh, self.layers) = (Some(post), true, layers);
        }
        // It has just been put there.
        self.post.as_mut().ok_or_else(String::new)
    }
}

impl Drop for LinuxProgram {
    fn drop(&mut self) {
        self.close();
    }
}

impl KeeperProcess {
    fn start(setup: &KeeperSetup) -> Result<(KeeperProcess, Layers), String> {
        proc::close();
        proc::adopt_orphans();
        proc::allow_descriptors();
        let cannot = |error: io::Error| format!("cannot start a keeper: {}", system_error(error));
        let (own, other) = UnixStream::pair().map_err(cannot)?;
        let program = own_program::program().ok_or("no program was announced as the keeper")?;
        let mut command = Command::new(program);
        command.arg(SUBCOMMAND).current_dir("/").env_clear();
        command.stdin(OwnedFd::from(other)).stdout(Stdio::null()).stderr(Stdio::null());
        let child = proc::start(&mut command).map_err(cannot)?;
        drop(command);
        guard::started(&child);
        let mut post =
            KeeperProcess { child, channel: Channel::new(own, LONGEST).map_err(cannot)? };
        let by = Instant::now().checked_add(GRACE);
        let none: [&[u8]; PIECES] = Default::default();
        let sent = post.channel.send(setup, none, by);
        match sent.and_then(|()| post.channel.receive::<KeeperReply>(by)) {
            Ok(Message { said: KeeperReply::Ready { layers }, .. }) => Ok((post, layers)),
            Ok(Message { said: KeeperReply::Unable(why), .. }) => {
                post.end();
                Err(format!("a keeper cannot work: {why}"))
            }
            Ok(other) => {
                post.end();
                Err(unexpected(&other.said))
            }
            Err(error) => {
                post.end();
                Err(format!("cannot start a keeper: {}", keeper_end_text(&error)))
            }
        }
    }

    /// Waits until the keeper answers or its time is over, and says whether that is wanted to the end.
    fn is_awaited(&self, wanted: CancellationCheck<'_>, by: Option<Instant>) -> bool {
        let is_over = || by.is_some_and(|by| Instant::now() >= by);
        while wanted.may_end() && !is_over() {
            match is_ready(self.channel.socket(), SLICE) {
                Ok(false) if !wanted.is_wanted() => return false,
                Ok(false) => {}
                // Readers of the socket report its errors.
                Ok(true) | Err(_) => break,
            }
        }
        true
    }

    /// Sends the keeper away, which leaves nothing behind unless it could not end it.
    fn dismiss(self) {
        let KeeperProcess { child, channel } = self;
        drop(channel);
        end(child, FAREWELL);
        proc::end_orphans();
    }

    /// Kills the keeper, and what it can no longer kill itself.
    fn end(self) {
        end(self.child, Duration::ZERO);
        proc::end_orphans();
    }
}

/// Waits for a keeper to end, for this time at most, and kills it then.
fn end(child: Child, time: Duration) {
    let id = child.id();
    proc::end(child, time);
    guard::ended(id);
}

fn keeper_end_text(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => "it has ended".to_owned(),
        io::ErrorKind::TimedOut => "its time is over".to_owned(),
        _ => system_error(error),
    }
}

fn unexpected(answer: &KeeperReply) -> String {
    let shown: String = format!("{answer:?}").chars().take(100).collect();
    format!("a keeper answers something else than it was asked: {shown}")
}
