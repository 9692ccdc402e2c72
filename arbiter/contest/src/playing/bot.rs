//! A bot: a program, started afresh for every request or for every game, or a bot that runs elsewhere; and asking it in
//! the background.

use std::cell::{Cell, RefCell};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};
use std::{io, mem, thread};

use rules::{Answer, DetailedVerdict, Dialect, Measurements, Outcome, Prompt, Verdict, VoidCause};
use thiserror::Error;
use workers::{NoThread, in_order};

use crate::playing::remote::RemoteSeat;
use crate::playing::{LOOK, Player, Reply, milliseconds};
use bot::fingerprint::{FileCheckError, FileFingerprint};
use bot::judge::judge;
use bot::manifest::ProgramMode;
use bot::{Contender, Location};
use sandbox::{
    CallEnd, CallInput, CancellationCheck, EndOfAnswer, LeftFiles, Limits, Observation, StartError,
    SupervisedProgram, Supervisor,
};
use series::game_status::{AGAIN, is_machines};
use text::failure::Failure;
use text::system_error;

/// Time limit of a program that is started only to see that it can be.
const MOMENT: Duration = Duration::from_secs(1);

/// Programs that are started at once for each processor.
const STARTS_A_PROCESSOR: NonZeroUsize = NonZeroUsize::new(2).expect("two");

/// A player that is a bot; it may be asked in another thread.
#[derive(Debug)]
pub struct Bot {
    limits: Limits,
    runs: BotHost,
}

/// Where a bot runs.
#[derive(Debug)]
enum BotHost {
    Here(Box<BotProgram>),
    Elsewhere(RemoteSeat),
}

/// The program of a bot, in a scratch folder of its own.
#[derive(Debug)]
struct BotProgram {
    supervised: SupervisedProgram,
    files: Vec<FileFingerprint>,
    dialect: Dialect,
    mode: ProgramMode,
    /// A file of the bot that has changed.
    changed: Option<String>,
    /// A resident program is running for this game.
    is_begun: bool,
}

impl Bot {
    /// Creates the bot of a contender, without starting it.
    pub fn new(contender: &Contender, supervisor: Supervisor) -> Self {
        let Contender { limits, dialect, mode, .. } = *contender;
        let runs = match &contender.location {
            Location::Here(program) => BotHost::Here(Box::new(BotProgram {
                supervised: supervisor.supervise(program, &contender.sight),
                files: [&contender.files[..], &contender.interpreters[..]].concat(),
                dialect,
                mode,
                changed: None,
                is_begun: false,
            })),
            Location::Remote(access) => {
                BotHost::Elsewhere(RemoteSeat::new(&contender.name, access.clone()))
            }
        };
        Bot { limits, runs }
    }

    /// Creates the bot of a contender, and starts it for a moment to see that it can be. Call it before anything is
    /// written.
    pub fn ready(contender: &Contender, supervisor: Supervisor) -> Result<Bot, BotSetupError> {
        let mut bot = Bot::new(contender, supervisor);
        bot.probe().map_err(|error| match error {
            StartError::Program(why) | StartError::NotSeen(why) => {
                BotSetupError::Bot { name: contender.name.clone(), why }
            }
            StartError::Referee(why) => BotSetupError::Referee(why),
        })?;
        Ok(bot)
    }

    /// Calls [`ready`](Bot::ready) for each contender.
    pub fn all_ready(
        contenders: &[Contender],
        supervisor: Supervisor,
    ) -> Result<Vec<Bot>, BotSetupError> {
        side_by_side(contenders, |contender| Bot::ready(contender, supervisor))
    }

    /// Starts each of these contenders for a moment, and keeps none.
    pub fn try_all(contenders: &[Contender], supervisor: Supervisor) -> Result<(), BotSetupError> {
        side_by_side(contenders, |contender| Bot::ready(contender, supervisor).map(drop)).map(drop)
    }

    /// Starts the program for a moment, to see that it can be started.
    ///
    /// # Errors
    ///
    /// Says whose fault a failure is.
    pub fn probe(&mut self) -> Result<(), StartError> {
        match &mut self.runs {
            BotHost::Here(program) => program.supervised.probe(),
            // Its first game shows whether its client is connected.
            BotHost::Elsewhere(_) => Ok(()),
        }
    }

    /// Returns true if the program can be started as for a request. It gets no request.
    pub(crate) fn can_be_started(&mut self) -> bool {
        let seen = self.ask_nothing();
        seen.is_some_and(|seen| !matches!(seen.end, CallEnd::Fault(_) | CallEnd::NotStarted(_)))
    }

    fn ask_nothing(&mut self) -> Option<Observation> {
        let limits = Limits { time: self.limits.time.min(MOMENT), ..self.limits };
        match &mut self.runs {
            BotHost::Here(program) => Some(program.supervised.ask(CallInput::Input(b""), &limits)),
            BotHost::Elsewhere(_) => None,
        }
    }

    /// Starts the program without a request, and returns the time until its end in milliseconds; nothing unless it
    /// ends by itself in a moment.
    pub fn start_without_request(&mut self) -> Option<f64> {
        let seen = self.ask_nothing()?;
        matches!(seen.end, CallEnd::Exited(_)).then(|| milliseconds(seen.wall))
    }

    /// True if [`ask_while`](Bot::ask_while) ends a program whose answer is not wanted any more.
    pub fn ends_on_request(&self) -> bool {
        match &self.runs {
            BotHost::Here(program) => program.supervised.ends_on_request(),
            BotHost::Elsewhere(_) => true,
        }
    }

    /// Gives the bot a new, empty folder, in every dialect.
    pub fn renew_folder(&mut self) -> io::Result<()> {
        self.game_over();
        match &mut self.runs {
            BotHost::Here(program) => program.supervised.renew_folder(),
            BotHost::Elsewhere(seat) => {
                seat.leave();
                Ok(())
            }
        }
    }

    /// Takes the file of the bot, as its command names it, that was found changed since the last call.
    pub(crate) fn take_changed(&mut self) -> Option<String> {
        match &mut self.runs {
            BotHost::Here(program) => program.changed.take(),
            BotHost::Elsewhere(_) => None,
        }
    }

    /// Asks, and asks again a few times if the bot was late because others had the processors.
    pub fn ask_while_busy(&mut self, prompt: &Prompt, time: Option<Duration>) -> Reply {
        let ms = time.unwrap_or(self.limits.time).as_secs_f64() * 1000.0;
        let mut reply = self.ask(prompt, time);
        if let BotHost::Elsewhere(_) = self.runs {
            return reply;
        }
        for _ in 0..AGAIN {
            let is_suspect = is_late(&reply.answer) && is_machines(&reply.measured, ms);
            if !is_suspect || self.renew_folder().is_err() {
                break;
            }
            reply = self.ask(prompt, time);
        }
        reply
    }

    /// Returns the processes and files that the program has left.
    pub fn left_files(&mut self) -> LeftFiles {
        match &mut self.runs {
            BotHost::Here(program) => program.supervised.left_files(),
            BotHost::Elsewhere(_) => LeftFiles::none(),
        }
    }
}

impl Player for Bot {
    fn new_game(&mut self) -> io::Result<()> {
        match &self.runs {
            BotHost::Here(program) if matches!(program.dialect, Dialect::Classic(_)) => Ok(()),
            BotHost::Here(_) | BotHost::Elsewhere(_) => self.renew_folder(),
        }
    }

    fn game_over(&mut self) {
        match &mut self.runs {
            BotHost::Here(program) if program.is_begun => {
                program.supervised.game_over();
                program.is_begun = false;
            }
            // A bot that is out still learns how its game ends.
            BotHost::Here(_) | BotHost::Elsewhere(_) => {}
        }
    }

    fn judged(&mut self, ruling: &DetailedVerdict) {
        if let BotHost::Elsewhere(seat) = &mut self.runs {
            seat.judged(ruling.verdict, &ruling.detail);
        }
    }

    fn learn_outcome(&mut self, outcome: &Outcome) {
        if let BotHost::Elsewhere(seat) = &mut self.runs {
            seat.finish(
                outcome
                    .scores()
                    .map(|scores| scores.values().iter().map(ToString::to_string).collect()),
            );
        }
    }

    fn ask(&mut self, prompt: &Prompt, time: Option<Duration>) -> Reply {
        self.ask_while(CancellationCheck::ALWAYS, prompt, time)
    }

    fn take_warnings(&mut self) -> Vec<String> {
        match &mut self.runs {
            BotHost::Here(program) => program.supervised.take_warnings(),
            BotHost::Elsewhere(_) => Vec::new(),
        }
    }

    fn close(&mut self) -> Vec<String> {
        match &mut self.runs {
            BotHost::Here(program) => program.supervised.close(),
            BotHost::Elsewhere(seat) => seat.leave(),
        }
        self.take_warnings()
    }
}

impl Bot {
    /// Asks it, and ends its program once the answer is not wanted any more, where
    /// [that can be done](Bot::ends_on_request).
    pub fn ask_while(
        &mut self,
        wanted: CancellationCheck<'_>,
        prompt: &Prompt,
        time: Option<Duration>,
    ) -> Reply {
        let limits = Limits { time: time.unwrap_or(self.limits.time), ..self.limits };
        match &mut self.runs {
            BotHost::Here(program) => program.ask_while(wanted, prompt, &limits),
            BotHost::Elsewhere(seat) => seat.ask(wanted, prompt, &limits),
        }
    }
}

impl BotProgram {
    fn ask_while(
        &mut self,
        wanted: CancellationCheck<'_>,
        prompt: &Prompt,
        limits: &Limits,
    ) -> Reply {
        // A running program is the one that was there when it was started.
        if !self.is_begun
            && let Err(error) = self.files.iter_mut().try_for_each(FileFingerprint::check)
        {
            let end = match &error {
                FileCheckError::Changed(file) => {
                    self.changed = Some(file.clone());
                    CallEnd::NotStarted(error.to_string())
                }
                FileCheckError::Unknown { .. } => CallEnd::Fault(error.to_string()),
            };
            return reply(Observation::without_output(end, Duration::ZERO), limits).0;
        }
        match prompt {
            Prompt::Request(request) => {
                let request = match self.mode {
                    ProgramMode::PerMove => CallInput::Input(request.as_bytes()),
                    ProgramMode::Resident | ProgramMode::Remote => {
                        CallInput::Turn(request.as_bytes(), EndOfAnswer::Line)
                    }
                };
                let seen = self.supervised.ask_while(wanted, request, limits);
                self.is_begun = matches!(seen.end, CallEnd::Answered | CallEnd::Unasked);
                reply(seen, limits).0
            }
            Prompt::Classic { file, arguments } => {
                self.ask_classic(wanted, (file, arguments), limits)
            }
        }
    }

    /// Asks through a file: the program appends its answer.
    fn ask_classic(
        &mut self,
        wanted: CancellationCheck<'_>,
        (text, words): (&str, &[String]),
        limits: &Limits,
    ) -> Reply {
        // However little an answer may hold, what may be appended is read with a byte to spare: a
        // text that begins like it and continues is another one.
        let longest = words.iter().map(String::len).max().unwrap_or_default();
        let most = text.len() + limits.answer_bytes.max(longest + 1);
        let request = CallInput::File { text: text.as_bytes(), words, most };
        let seen = self.supervised.ask_while(wanted, request, limits);
        let (Reply { answer, measured }, file) = reply(seen, limits);
        let answer = match answer {
            Answer::Output(output) => Answer::Classic { file, output },
            stopped => stopped,
        };
        Reply { answer, measured }
    }
}

/// Makes a reply from an observation; also returns the contents of the file of a classic request.
fn reply(mut observed: Observation, limits: &Limits) -> (Reply, Vec<u8>) {
    let file = mem::take(&mut observed.file);
    let wall = match observed.end {
        // It may have been seen later than it came, and the time until then is not its own.
        CallEnd::Answered | CallEnd::Exited(_) => observed.wall.min(limits.time),
        CallEnd::Deadline | CallEnd::Silence => observed.wall.max(limits.time),
        _ => observed.wall,
    };
    let measured = Measurements {
        ms: milliseconds(wall),
        cpu_ms: observed.cpu.map(milliseconds),
        waited_ms: observed.waited.map(milliseconds),
        referee_waited_ms: observed.referee_waited.map(milliseconds).filter(|it| *it > 0.0),
        stderr: mem::take(&mut observed.stderr).into(),
        stderr_dropped: observed.stderr_dropped,
        escaped: observed.escaped,
    };
    (Reply { answer: judge(observed, limits), measured }, file)
}

/// Returns true for an answer that came too late.
pub fn is_late(answer: &Answer) -> bool {
    matches!(answer, Answer::Stopped { by, .. } if by.verdict() == Verdict::Timeout)
}

/// Starts contenders, several at once: much of a start is waiting for the kernel.
fn side_by_side<T: Send>(
    contenders: &[Contender],
    start: impl Fn(&Contender) -> Result<T, BotSetupError> + Sync,
) -> Result<Vec<T>, BotSetupError> {
    let mut started = Vec::new();
    let at_once = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    in_order(
        contenders.len() as u64,
        at_once.saturating_mul(STARTS_A_PROCESSOR),
        || |place| start(&contenders[place as usize]),
        |one| {
            started.push(one);
            ControlFlow::Continue(())
        },
    )?;
    Ok(started)
}

/// Reason why a bot cannot play; one line.
#[derive(Debug, Error)]
pub enum BotSetupError {
    #[error("bot `{name}` cannot be started: {why}")]
    Bot { name: String, why: String },
    #[error("cannot start programs: {0}")]
    Referee(String),
}

impl From<NoThread> for BotSetupError {
    fn from(error: NoThread) -> BotSetupError {
        BotSetupError::Referee(error.to_string())
    }
}

impl From<BotSetupError> for Failure {
    fn from(error: BotSetupError) -> Failure {
        match error {
            BotSetupError::Bot { .. } => Failure::Start(error.to_string()),
            BotSetupError::Referee(_) => Failure::Ours(error.to_string()),
        }
    }
}

/// Decides how long to wait for an answer of a bot.
pub trait WaitPolicy {
    /// Begins to wait for an answer, unless it would be void: then it gives the reason.
    fn begin(&mut self) -> Option<VoidCause>;

    /// Looks whether the answer is still wanted, and gives the reason if it is void from now on.
    fn look(&mut self) -> io::Result<Option<VoidCause>>;
}

/// An answer is wanted until the match is stopped.
impl WaitPolicy for &AtomicBool {
    fn begin(&mut self) -> Option<VoidCause> {
        self.load(Ordering::Relaxed).then_some(VoidCause::Stopped)
    }

    fn look(&mut self) -> io::Result<Option<VoidCause>> {
        Ok(self.begin())
    }
}

/// A bot that is asked in the background, so that its caller can stop waiting for the answer.
///
/// A bot may think for as long as its time limit says. Where its program can be ended on request, the caller's own
/// thread asks it, looks now and then, and ends it. Elsewhere another thread asks it. When the caller stops waiting
/// there, the bot keeps running until the program ends; the program must then see to it that nothing stays behind
/// ([`BackgroundBot::is_left_alone`]).
#[derive(Debug)]
pub struct BackgroundBot<W> {
    /// Absent while it is asked.
    bot: Option<Bot>,
    /// The thread that asks it, once there is one.
    asker: Option<BotThread>,
    waiting: W,
}

/// A thread that asks a bot, and gives it back with its reply.
#[derive(Debug)]
struct BotThread {
    asks: Sender<(Bot, Prompt, Option<Duration>)>,
    answered: Receiver<(Bot, Reply)>,
}

impl BotThread {
    fn start() -> io::Result<BotThread> {
        let (asks, bots) = mpsc::channel::<(Bot, Prompt, Option<Duration>)>();
        let (answers, answered) = mpsc::channel();
        thread::Builder::new().name("bot".to_owned()).spawn(move || {
            for (mut bot, prompt, time) in bots {
                let reply = bot.ask(&prompt, time);
                // The caller may have stopped waiting: then the answer is not wanted.
                let _ = answers.send((bot, reply));
            }
        })?;
        Ok(BotThread { asks, answered })
    }
}

impl<W: WaitPolicy> BackgroundBot<W> {
    pub fn new(bot: Bot, waiting: W) -> BackgroundBot<W> {
        BackgroundBot { bot: Some(bot), asker: None, waiting }
    }

    /// Returns true if the bot was still thinking when its caller stopped waiting.
    pub fn is_left_alone(&self) -> bool {
        self.bot.is_none()
    }

    /// Returns the reply, or why it is void. Fails if no thread can be started or [`WaitPolicy::look`] fails.
    fn wait(
        &mut self,
        prompt: &Prompt,
        time: Option<Duration>,
    ) -> io::Result<Result<Reply, VoidCause>> {
        match &mut self.bot {
            Some(bot) if bot.ends_on_request() => ask_while(bot, &mut self.waiting, prompt, time),
            Some(_) | None => self.wait_for_thread(prompt, time),
        }
    }

    fn wait_for_thread(
        &mut self,
        prompt: &Prompt,
        time: Option<Duration>,
    ) -> io::Result<Result<Reply, VoidCause>> {
        let BotThread { asks, answered } = match &mut self.asker {
            Some(asker) => asker,
            none => none.insert(BotThread::start()?),
        };
        // Only now, since a thread that could not be started would have lost it.
        let Some(bot) = self.bot.take() else {
            // A late answer belongs to an earlier request.
            return Err(io::Error::other("it was left to itself"));
        };
        let _ = asks.send((bot, prompt.clone(), time));
        loop {
            match answered.recv_timeout(LOOK) {
                Ok((bot, reply)) => {
                    self.bot = Some(bot);
                    return Ok(Ok(reply));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(error @ RecvTimeoutError::Disconnected) => return Err(io::Error::other(error)),
            }
            if let Some(why) = self.waiting.look()? {
                return Ok(Err(why));
            }
        }
    }
}

/// Asks a bot in this thread, and ends its program once the answer is not wanted any more.
fn ask_while(
    bot: &mut Bot,
    waiting: &mut impl WaitPolicy,
    prompt: &Prompt,
    time: Option<Duration>,
) -> io::Result<Result<Reply, VoidCause>> {
    let waiting = RefCell::new(waiting);
    let ended = Cell::new(None);
    let is_wanted = || {
        let end = waiting.borrow_mut().look().transpose();
        let is_wanted = end.is_none();
        ended.set(end);
        is_wanted
    };
    let reply = bot.ask_while(CancellationCheck::as_long_as(&is_wanted), prompt, time);
    match ended.into_inner() {
        Some(why) => why.map(Err),
        None => Ok(Ok(reply)),
    }
}

/// Once it was left to itself, it does nothing but answer that it was.
impl<W: WaitPolicy> Player for BackgroundBot<W> {
    fn new_game(&mut self) -> io::Result<()> {
        self.bot.as_mut().map_or(Ok(()), Bot::new_game)
    }

    fn game_over(&mut self) {
        if let Some(bot) = &mut self.bot {
            bot.game_over();
        }
    }

    fn judged(&mut self, ruling: &DetailedVerdict) {
        if let Some(bot) = &mut self.bot {
            bot.judged(ruling);
        }
    }

    fn learn_outcome(&mut self, outcome: &Outcome) {
        if let Some(bot) = &mut self.bot {
            bot.learn_outcome(outcome);
        }
    }

    fn ask(&mut self, prompt: &Prompt, time: Option<Duration>) -> Reply {
        if let Some(why) = self.waiting.begin() {
            return Reply::void(why);
        }
        let begun = Instant::now();
        let why = match self.wait(prompt, time) {
            Ok(Ok(reply)) => return reply,
            Ok(Err(why)) => why,
            Err(error) => {
                VoidCause::worded(format!("a bot cannot be waited for: {}", system_error(&error)))
            }
        };
        let ms = begun.elapsed().as_millis() as f64;
        Reply {
            answer: Answer::Void(why),
            measured: Measurements { ms, ..Measurements::default() },
        }
    }

    fn take_warnings(&mut self) -> Vec<String> {
        self.bot.as_mut().map(Bot::take_warnings).unwrap_or_default()
    }

    fn close(&mut self) -> Vec<String> {
        self.bot.as_mut().map(Bot::close).unwrap_or_default()
    }
}
