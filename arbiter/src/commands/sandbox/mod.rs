//! `arbiter sandbox`: how far this machine keeps bots apart, what one of them finds around it, and a
//! command in its place.

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;

use text::{printable, system_error};

use crate::output::Format;
use conditions::bot::grants::{AskedIsolation, NotGranted, sighted};
use conditions::bot::{self, BotSpec, Contender};
use conditions::failure::Failure;
use contest::setup;
use contest::stop::Stop;
use sandbox::isolation::Isolation;
use sandbox::{End, Limits, Supervisor};

mod advice;
mod layers;
mod surroundings;

/// A bot to be looked at.
#[derive(Debug)]
pub struct LookRequest {
    /// The bot.
    pub bot: BotSpec,
    /// How far it is kept apart.
    pub isolation: AskedIsolation,
}

/// Lists the layers that this machine allows, and how to get the others.
///
/// # Errors
///
/// [`Failure::Check`] if any is missing.
pub fn machine(format: Format, out: &mut dyn Write) -> Result<(), Failure> {
    let supervisor = with_keepers(setup::supervisor_with(Isolation::Auto)?)?;
    let layers = supervisor.layers().map_err(Failure::Ours)?;
    let advice = advice::advice(layers);
    layers::tell(layers, &advice, format, out)?;
    match layers.missing().as_str() {
        "" => Ok(()),
        missing => Err(Failure::Check(format!("the sandbox on this machine lacks {missing}"))),
    }
}

/// Lists what a bot finds around it.
///
/// # Errors
///
/// As the exit codes say: [`Failure::Start`], if the bot cannot be started.
pub fn look(request: &LookRequest, format: Format, out: &mut dyn Write) -> Result<(), Failure> {
    let supervisor = with_keepers(setup::supervisor(request.isolation.isolation)?)?;
    let Found { contender, not_granted } = request.found()?;
    let _guard = setup::guard()?;
    let surroundings =
        supervisor.surroundings(&contender.program, &contender.sight).map_err(Failure::Ours)?;
    Ok(surroundings::tell(&contender.name, &surroundings, &not_granted, format, out)?)
}

/// Runs a command where a bot would run, on the streams of this process.
///
/// # Errors
///
/// [`Failure::OfCommand`] with its exit code, if that is not 0.
pub fn attend(request: &LookRequest, command: &[OsString]) -> Result<(), Failure> {
    let supervisor = with_keepers(setup::supervisor(request.isolation.isolation)?)?;
    let Found { contender, not_granted } = request.found()?;
    if let Some(not_granted) = not_granted.first() {
        return Err(Failure::Usage(not_granted.to_string()));
    }
    let _guard = setup::guard()?;
    let stop = Stop::on_signals(|| {}).map_err(|error| {
        Failure::Ours(format!("cannot wait for signals: {}", system_error(error)))
    })?;
    let limits = contender.limits;
    let ended =
        supervisor.attend(&contender.program, &contender.sight, command, &limits, stop.set());
    match ended.map_err(Failure::Ours)? {
        Some(end) => outcome(end, &limits),
        None => {
            let problem = "the command was ended".to_owned();
            Err(Failure::Interrupted { problem, code: stop.exit_code() })
        }
    }
}

/// The result of this program after a command has ended.
fn outcome(end: End, limits: &Limits) -> Result<(), Failure> {
    let killed = |why: String| {
        let problem = format!("the command was killed: {why}");
        Err(Failure::Interrupted { problem, code: 128 + 9 })
    };
    match end {
        End::Exited(0) | End::Answered | End::Left => Ok(()),
        End::Exited(code) => Err(Failure::OfCommand(u8::try_from(code).unwrap_or(u8::MAX))),
        End::Signalled(signal) => {
            Err(Failure::OfCommand(u8::try_from(128 + signal).unwrap_or(u8::MAX)))
        }
        End::MemoryLimit => killed(format!("more than {} bytes of memory", limits.memory)),
        End::ProcessLimit => killed(format!("more than {} processes", limits.processes)),
        End::CpuLimit => killed("too much CPU time".to_owned()),
        End::Deadline | End::Silence | End::Unasked | End::Awake | End::OutputLimit => {
            killed("a limit".to_owned())
        }
        End::Traced => killed("a process that it left behind traces it".to_owned()),
        End::NotStarted(why) => Err(Failure::Start(why)),
        End::Fault(why) => Err(Failure::Ours(why)),
    }
}

/// Refuses a supervisor that keeps no bot apart.
fn with_keepers(supervisor: Supervisor) -> Result<Supervisor, Failure> {
    match supervisor.has_keepers() {
        true => Ok(supervisor),
        false => Err(Failure::Ours(format!(
            "the `{}` supervisor cannot sandbox bots: use `linux`, on Linux",
            supervisor.name()
        ))),
    }
}

/// A bot that was found, and what it asks for in vain.
struct Found {
    contender: Contender,
    not_granted: Vec<NotGranted>,
}

impl LookRequest {
    fn found(&self) -> Result<Found, Failure> {
        let wrong = |error: &dyn std::fmt::Display| Failure::Usage(error.to_string());
        let bot = self.bot.clone().opened().map_err(|error| wrong(&error))?;
        let names = bot::names(std::slice::from_ref(&bot)).map_err(|error| wrong(&error))?;
        self.isolation.grants.check_names(&names)?;
        let name = names.into_iter().next().unwrap_or_default();
        let not_granted = self.isolation.not_granted(&name, &bot);
        let (search, beyond) = (setup::search_path()?, self.isolation.beyond(&name));
        setup::warn_of_newer_source(&bot, &name);
        setup::tell_of_unused_venv(&bot, &name);
        setup::tell_of_unread_version(&bot, &name, &search);
        let contender = Contender::prepare(&bot, &name, Limits::default(), &search, &beyond)
            .map_err(|error| Failure::Start(format!("bot `{name}`: {error}")))?;
        let kept: [PathBuf; 0] = [];
        let contender = sighted(vec![contender], &self.isolation.grants, &kept).pop();
        let contender = contender
            .ok_or_else(|| Failure::Ours(format!("bot `{}` is gone", printable(&name))))?;
        Ok(Found { contender, not_granted })
    }
}
