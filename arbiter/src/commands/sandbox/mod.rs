//! `arbiter sandbox`: the sandbox layers of this machine, the surroundings of a bot, and a command inside
//! a bot's sandbox.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use text::printable;

use crate::options::isolation::IsolationArgs;
use crate::options::report_format;
use crate::output::OutputFormat;
use crate::output::json::JsonLines;
use bot::grants::{AskedIsolation, NotGranted};
use bot::sighted;
use bot::{BotSpec, Contender};
use contest::setup;
use sandbox::isolation::{Isolation, Layer, Layers};
use sandbox::{End, Limits, Program, Supervisor};
use text::failure::Failure;

mod advice;
mod surroundings;

const HELP: &str = "Without BOT, lists the sandbox layers and how an administrator can enable \
missing ones. Exits with 5 if a layer is missing.

With BOT, lists the non-system files it can read, the places it can write to, its user, and the \
permissions it requested without being granted.

With COMMAND, runs it in the bot's sandbox, attached to your terminal, in a temporary scratch \
folder, under its limits except the time limit. COMMAND is looked up as for the bot. Exits with \
its exit code, or 128 + the number of the signal that killed it. Ctrl-C kills it and all its \
processes.

Examples:
  arbiter sandbox
  arbiter sandbox ./my-bot
  arbiter sandbox --allow my-bot:read=/srv/books ./my-bot
  arbiter sandbox \"dialect=classic python3 my_bot.py\" -- python3 -c \"import numpy\"
  arbiter sandbox ./my-bot -- sh";

/// `arbiter sandbox`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct SandboxArgs {
    /// Print JSON lines: one per layer and one for the machine, or one for the bot
    #[arg(long, conflicts_with = "command")]
    json: bool,
    /// Bot to inspect
    #[arg(value_name = "BOT")]
    bot: Option<String>,
    /// Command to run in the bot's sandbox
    #[arg(value_name = "COMMAND", last = true)]
    command: Vec<OsString>,
    #[command(flatten)]
    isolation: IsolationArgs,
}

impl SandboxArgs {
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let SandboxArgs { json, bot, command, isolation } = self;
        let format = report_format(json);
        let Some(bot) = bot else {
            return match command.is_empty() && isolation.is_empty() {
                true => machine(format, out),
                false => Err(Failure::Usage(
                    "a command, --isolation or --allow needs a bot: name BOT before it".to_owned(),
                )),
            };
        };
        let request =
            SandboxRequest { bot: crate::options::bot(&bot)?, isolation: isolation.asked()? };
        match command.is_empty() {
            true => look(&request, format, out),
            false => attend(&request, &command),
        }
    }
}

/// A bot and its isolation.
#[derive(Debug)]
struct SandboxRequest {
    bot: BotSpec,
    isolation: AskedIsolation,
}

/// Lists the layers, with advice on missing ones; fails with [`Failure::Check`] if one is missing.
fn machine(format: OutputFormat, out: &mut dyn Write) -> Result<(), Failure> {
    let supervisor = with_keepers(setup::supervisor_with(Isolation::Auto)?)?;
    let layers = supervisor.layers().map_err(Failure::Ours)?;
    let advice = advice::advice(layers);
    tell_layers(layers, &advice, format, out)?;
    match layers.missing().as_str() {
        "" => Ok(()),
        missing => Err(Failure::Check(format!("missing sandbox layers: {missing}"))),
    }
}

/// A line of JSON, named by its only key.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum JsonLine<'a> {
    Layer { name: &'static str, about: &'static str, on: bool, reason: Option<&'a str> },
    Machine { complete: bool, advice: &'a [String] },
}

/// Lists the layers, the reasons why some are missing, and the advice.
fn tell_layers(
    layers: &Layers,
    advice: &[String],
    format: OutputFormat,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut said = None;
    for layer in Layer::ALL {
        let reason = layers.refused.iter().find(|(refused, _)| *refused == layer);
        let reason = reason.map(|(_, why)| why.as_str());
        let (name, about, on) = (layer.name(), layer.about(), layers.on.contains(&layer));
        match format {
            OutputFormat::Text => {
                let state = if on { "on" } else { "MISSING" };
                writeln!(out, "{name:10}  {state:7}  {about}")?;
                // Often several layers in a row are missing for one reason.
                if let Some(reason) = reason.filter(|reason| said != Some(*reason)) {
                    writeln!(out, "{:10}  {:7}  {reason}", "", "")?;
                }
                said = reason;
            }
            OutputFormat::Json => {
                JsonLines::new(&mut *out).line(&JsonLine::Layer { name, about, on, reason })?;
            }
        }
    }
    match format {
        OutputFormat::Text if advice.is_empty() => Ok(()),
        OutputFormat::Text => {
            writeln!(out, "\nTo enable the missing layers, an administrator can use:")?;
            advice.iter().try_for_each(|advice| writeln!(out, "  {advice}"))
        }
        OutputFormat::Json => {
            let complete = layers.refused.is_empty();
            JsonLines::new(out).line(&JsonLine::Machine { complete, advice })
        }
    }
}

/// Describes the surroundings of a bot.
fn look(
    request: &SandboxRequest,
    format: OutputFormat,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let supervisor = with_keepers(setup::supervisor(request.isolation.isolation)?)?;
    let InspectedBot { contender, not_granted } = request.found()?;
    let _guard = setup::guard()?;
    let program = local_program(&contender)?;
    let surroundings =
        supervisor.sandbox_profile(program, &contender.sight).map_err(Failure::Ours)?;
    Ok(surroundings::tell(&contender.name, &surroundings, &not_granted, format, out)?)
}

/// The program of a bot that runs on this machine.
fn local_program(contender: &Contender) -> Result<&Program, Failure> {
    contender.program().ok_or_else(|| {
        Failure::usage(format_args!("bot `{}` runs elsewhere: it has no sandbox", contender.name))
    })
}

/// Runs a command inside a bot's sandbox, on the streams of this process. An exit code other than 0 becomes
/// [`Failure::OfCommand`].
fn attend(request: &SandboxRequest, command: &[OsString]) -> Result<(), Failure> {
    let supervisor = with_keepers(setup::supervisor(request.isolation.isolation)?)?;
    let InspectedBot { contender, not_granted } = request.found()?;
    if let Some(not_granted) = not_granted.first() {
        return Err(Failure::Usage(not_granted.to_string()));
    }
    let _guard = setup::guard()?;
    let stop = super::stop_on_signals(|| {})?;
    let limits = contender.limits;
    let program = local_program(&contender)?;
    let ended = supervisor.attend(program, &contender.sight, command, &limits, stop.set());
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
        End::Traced => killed("a leftover process is tracing it".to_owned()),
        End::NotStarted(why) => Err(Failure::Start(why)),
        End::Fault(why) => Err(Failure::Ours(why)),
    }
}

/// Refuses a supervisor without a sandbox.
fn with_keepers(supervisor: Supervisor) -> Result<Supervisor, Failure> {
    match supervisor.has_keepers() {
        true => Ok(supervisor),
        false => Err(Failure::Ours(format!(
            "the `{}` supervisor cannot sandbox bots: use `linux`, on Linux",
            supervisor.name()
        ))),
    }
}

/// A bot, and the rights that it asks for and does not get.
struct InspectedBot {
    contender: Contender,
    not_granted: Vec<NotGranted>,
}

impl SandboxRequest {
    fn found(&self) -> Result<InspectedBot, Failure> {
        let bot = self.bot.clone().opened()?;
        let names = bot::names(std::slice::from_ref(&bot))?;
        self.isolation.grants.check_names(&names)?;
        let name = names.into_iter().next().unwrap_or_default();
        let not_granted = self.isolation.not_granted(&name, &bot);
        let (search, beyond) = (setup::search_path()?, self.isolation.outside_access(&name));
        super::remark_on(&bot, &name, &search);
        let contender = Contender::prepare(&bot, &name, Limits::default(), &search, &beyond)
            .map_err(|error| Failure::Start(format!("bot `{name}`: {error}")))?;
        let kept: [PathBuf; 0] = [];
        let contender = sighted(vec![contender], &self.isolation.grants, &kept).pop();
        let contender = contender
            .ok_or_else(|| Failure::Ours(format!("bot `{}` is gone", printable(&name))))?;
        Ok(InspectedBot { contender, not_granted })
    }
}
