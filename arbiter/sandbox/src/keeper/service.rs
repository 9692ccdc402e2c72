//! The keeper's own work: it confines itself, and then runs its program as often as it is asked.

use std::io::{self, stdin};
use std::mem;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use rustix::fs::Mode;
use rustix::process::{
    DumpableBehavior, getpid, set_child_subreaper, set_dumpable_behavior, setsid, umask,
};
use rustix::thread::set_no_new_privs;
use text::system_error;

use super::super::call::{CallEnd, Observation};
use super::super::isolation::Isolation;
use super::super::layers::{self, SignalAllToken};
use super::super::limits::Limits;
use super::super::memory::OomKills;
use super::super::refused_starts::RefusedStartCounters;
use super::super::request::PonderPermission;
use super::channel::{Channel, PIECES, receive_streams};
use super::channel::{KeeperReply, KeeperRequest, KeeperSetup, WorkingFolder};
use super::clone;
use super::launch::Launch;
use super::resident::ResidentProgram;
use super::run::{RunInput, RunnableProgram};
use super::workplace::ProgramFolder;

/// The longest message of a referee, in bytes: a request is much shorter.
const LONGEST: u64 = 1 << 30;

/// The most time for standard streams to come once they were asked for.
const PATIENCE: Duration = Duration::from_secs(40);

/// No bytes beside what is said.
const NO_PIECES: [&[u8]; PIECES] = [b"", b"", b""];

/// Serves the referee at the other end of standard input, until it is gone.
///
/// # Errors
///
/// Fails if standard input is not the socket of a referee.
pub fn serve() -> io::Result<()> {
    // Without a session of its own, the keeper and its programs would have the referee's terminal.
    let _ = setsid();
    // If the kernel is too old for it, bots get what the referee was started with, and no more.
    let _ = clone::close_descriptors_at_start();
    clone::reset_signals();
    let socket = UnixStream::from(stdin().as_fd().try_clone_to_owned()?);
    let mut channel = Channel::new(socket, LONGEST)?;
    let setup = channel.receive::<KeeperSetup>(None)?.said;
    let mut service = match KeeperState::settle(setup) {
        Ok((service, answer)) => {
            channel.send(&answer, NO_PIECES, None)?;
            service
        }
        Err(why) => return channel.send(&KeeperReply::Unable(why), NO_PIECES, None),
    };
    // The end of the socket is the end of the referee.
    loop {
        service.watch_between_turns(&channel);
        let Ok(message) = channel.receive::<KeeperRequest>(None) else { break };
        let answered = service.answer(message.said, &message.pieces[0], &mut channel);
        let Some((answer, pieces)) = answered else { break };
        let sent = channel.send(&answer, pieces.each_ref().map(Vec::as_slice), None);
        if sent.is_err() || service.is_done {
            break;
        }
    }
    service.dismiss();
    service.place.leave();
    Ok(())
}

/// The state of a keeper: its program, the folder of that, and what it may use.
struct KeeperState {
    launch: Launch,
    kills: OomKills,
    refused: RefusedStartCounters,
    place: ProgramFolder,
    workplace: WorkingFolder,
    namespace: Option<SignalAllToken>,
    /// The program of a game that lives on.
    resident: Option<ResidentProgram>,
    ponder: PonderPermission,
    /// True if something is left that does not end: then no program may run beside it.
    is_done: bool,
}

impl KeeperState {
    /// Confines this process, and makes all ready for the first question.
    fn settle(setup: KeeperSetup) -> Result<(KeeperState, KeeperReply), String> {
        let (kills, refused) = (OomKills::of_own_group(), RefusedStartCounters::of_own_groups());
        let confined = layers::confine(&setup.confinement)?;
        if setup.confinement.isolation != Isolation::Off {
            // Others run the result of a build, whatever the umask of the referee.
            umask(Mode::from_raw_mode(0o022));
        }
        // Without it, a program could have rights that no limit holds.
        let _ = set_no_new_privs(true);
        let _ = set_child_subreaper(Some(getpid()));
        let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
        let (workplace, ponder) = (setup.workplace, setup.ponder);
        // Only in a namespace of its own does the system count the processes of this bot alone.
        let counts_alone = confined.namespace.is_some() && confined.child.user.is_none();
        let launch = Launch::new(
            setup,
            confined.build_folder,
            confined.child,
            counts_alone,
            confined.score,
        )?;
        let place = match workplace {
            WorkingFolder::Given => Ok(ProgramFolder::existing(&confined.base)),
            WorkingFolder::Scratch => ProgramFolder::make(&confined.base, launch.rights()),
        };
        let place = place
            .map_err(|error| format!("cannot make a scratch folder: {}", system_error(error)))?;
        let answer = KeeperReply::Ready { layers: confined.layers };
        let namespace = confined.namespace;
        let (resident, is_done) = (None, false);
        let service = KeeperState {
            launch,
            kills,
            refused,
            place,
            workplace,
            namespace,
            resident,
            ponder,
            is_done,
        };
        Ok((service, answer))
    }

    /// The answer, with the bytes that belong to it; none if the referee has gone meanwhile.
    fn answer(
        &mut self,
        question: KeeperRequest,
        piece: &[u8],
        channel: &mut Channel,
    ) -> Option<(KeeperReply, [Vec<u8>; PIECES])> {
        let plain = |answer| Some((answer, Default::default()));
        if !matches!(
            question,
            KeeperRequest::Turn { .. } | KeeperRequest::Left | KeeperRequest::Memory
        ) {
            // No other program runs beside it.
            self.dismiss();
        }
        match question {
            KeeperRequest::Turn { limits, end } => {
                if self.resident.is_none() {
                    self.replace_spoilt_folder();
                }
                let mut resident = self.resident.take();
                let (ponder, referee) = (self.ponder, channel.socket());
                let seen_of_turn =
                    self.keeping().turn(&mut resident, (piece, end), &limits, ponder, referee);
                self.resident = resident;
                seen_of_turn.map(observation_reply)
            }
            KeeperRequest::GameOver => plain(KeeperReply::Ended),
            KeeperRequest::Run { limits } => {
                self.replace_spoilt_folder();
                let run = RunInput { words: Vec::new(), request: piece, limits: &limits };
                self.keeping().run(run, channel.socket()).map(observation_reply)
            }
            KeeperRequest::RunWithFile { limits, words, most } => {
                self.replace_spoilt_folder();
                let path = match self.place.write_file(piece, self.launch.rights()) {
                    Ok(path) => path,
                    Err(error) => {
                        let why = system_error(error);
                        let fault = format!("cannot write the file of a request: {why}");
                        return Some(observation_reply(Observation::without_output(
                            CallEnd::Fault(fault),
                            Duration::ZERO,
                        )));
                    }
                };
                let words = words.into_iter().map(Into::into);
                let words = [path.clone().into_os_string()].into_iter().chain(words).collect();
                let run = RunInput { words, request: b"", limits: &limits };
                let mut observed = self.keeping().run(run, channel.socket())?;
                observed.file = self.place.read_file(&path, most);
                Some(observation_reply(observed))
            }
            KeeperRequest::Attend { limits, words } => {
                self.replace_spoilt_folder();
                channel.send(&KeeperReply::Streams, NO_PIECES, None).ok()?;
                let by = Instant::now().checked_add(PATIENCE);
                let streams = receive_streams(channel.socket(), by).ok()?;
                self.keeping()
                    .attend(&words, streams, &limits, channel.socket())
                    .map(observation_reply)
            }
            KeeperRequest::Probe => {
                self.replace_spoilt_folder();
                plain(KeeperReply::Probed(self.keeping().probe(&Limits::default())))
            }
            KeeperRequest::NewFolder => plain(match self.place.renew(self.launch.rights()) {
                Ok(left_behind) => KeeperReply::NewFolder { left_behind },
                Err(error) => KeeperReply::NoFolder(system_error(error)),
            }),
            KeeperRequest::Left => {
                let (files, name) = self.place.files();
                plain(KeeperReply::Left { files, name })
            }
            KeeperRequest::Memory => {
                plain(KeeperReply::Memory(self.resident.as_ref().map(ResidentProgram::memory)))
            }
        }
    }

    /// Looks at the program of a game between its turns, until the referee says something.
    fn watch_between_turns(&mut self, channel: &Channel) {
        if let Some(resident) = &mut self.resident {
            resident.watch_between_turns(self.namespace.as_ref(), channel.socket());
        }
    }

    /// Ends a program that lives on.
    fn dismiss(&mut self) {
        if let Some(resident) = self.resident.take() {
            self.keeping().dismiss(resident);
        }
    }

    /// Gives the program another folder where it has spoilt its own: no game is void for that.
    fn replace_spoilt_folder(&mut self) {
        if self.workplace == WorkingFolder::Scratch && !self.place.is_usable() {
            // If none can be made, the start says so.
            let _ = self.place.renew(self.launch.rights());
        }
    }

    fn keeping(&mut self) -> RunnableProgram<'_> {
        RunnableProgram {
            launch: &mut self.launch,
            kills: &self.kills,
            refused: &self.refused,
            folder: self.place.folder(),
            namespace: self.namespace.as_ref(),
            is_done: &mut self.is_done,
        }
    }
}

/// The observations, and their bytes on their own.
fn observation_reply(mut observed: Observation) -> (KeeperReply, [Vec<u8>; PIECES]) {
    let pieces = [
        mem::take(&mut observed.stdout),
        mem::take(&mut observed.stderr),
        mem::take(&mut observed.file),
    ];
    (KeeperReply::Seen(Box::new(observed)), pieces)
}
