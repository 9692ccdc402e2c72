//! `arbiter sandbox`: the sandbox layers of this machine, the surroundings of a bot, and a command inside
//! a bot's sandbox.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use bot::grants::{IsolationSpec, MissingGrant, Permission};
use bot::{BotSpec, Contender, sighted};
use bytesize::ByteSize;
use clap::Args;
use contest::setup;
use sandbox::isolation::{BotSandbox, Isolation, Layer, Layers, NOBODY, WritablePlace};
use sandbox::{CallEnd, Limits, Program, Supervisor};
use serde::Serialize;
use text::failure::Failure;
use text::{display_path, printable};

use crate::options::isolation::IsolationArgs;
use crate::options::report_format;
use crate::output::{OutputFormat, json_line, named_json_line};

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
        let (bot, isolation) = (crate::options::bot(&bot)?, isolation.into_spec()?);
        match command.is_empty() {
            true => look(bot, &isolation, format, out),
            false => attend(bot, &isolation, &command),
        }
    }
}

/// Lists the layers, with advice on missing ones; fails with [`Failure::Check`] if one is missing.
fn machine(format: OutputFormat, out: &mut dyn Write) -> Result<(), Failure> {
    let supervisor = with_keepers(setup::supervisor_with(Isolation::Auto)?)?;
    let layers = supervisor.layers().map_err(Failure::Ours)?;
    let advice = advice(layers);
    tell_layers(layers, &advice, format, out)?;
    match layers.missing().as_str() {
        "" => Ok(()),
        missing => Err(Failure::Check(format!("missing sandbox layers: {missing}"))),
    }
}

/// A line of JSON, named by its only key.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum SandboxJsonLine<'a> {
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
                json_line(out, &SandboxJsonLine::Layer { name, about, on, reason })?;
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
            json_line(out, &SandboxJsonLine::Machine { complete, advice })
        }
    }
}

/// Describes the surroundings of a bot.
fn look(
    bot: BotSpec,
    isolation: &IsolationSpec,
    format: OutputFormat,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let supervisor = with_keepers(setup::supervisor(isolation.isolation)?)?;
    let (contender, not_granted) = inspect(bot, isolation)?;
    let _guard = setup::guard()?;
    let program = local_program(&contender)?;
    let surroundings =
        supervisor.sandbox_profile(program, &contender.sight).map_err(Failure::Ours)?;
    Ok(tell(&contender.name, &surroundings, &not_granted, format, out)?)
}

/// The program of a bot that runs on this machine.
fn local_program(contender: &Contender) -> Result<&Program, Failure> {
    contender.program().ok_or_else(|| {
        Failure::usage(format_args!("bot `{}` runs elsewhere: it has no sandbox", contender.name))
    })
}

/// Runs a command inside a bot's sandbox, on the streams of this process. An exit code other than 0 becomes
/// [`Failure::OfCommand`].
fn attend(bot: BotSpec, isolation: &IsolationSpec, command: &[OsString]) -> Result<(), Failure> {
    let supervisor = with_keepers(setup::supervisor(isolation.isolation)?)?;
    let (contender, not_granted) = inspect(bot, isolation)?;
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
            let problem = "the command was stopped".to_owned();
            Err(Failure::Interrupted { problem, code: stop.exit_code() })
        }
    }
}

/// The result of this program after a command has ended.
fn outcome(end: CallEnd, limits: &Limits) -> Result<(), Failure> {
    let killed = |why: String| {
        let problem = format!("the command was killed: {why}");
        Err(Failure::Interrupted { problem, code: 128 + 9 })
    };
    match end {
        CallEnd::Exited(0) | CallEnd::Answered | CallEnd::Left => Ok(()),
        CallEnd::Exited(code) => Err(Failure::OfCommand(u8::try_from(code).unwrap_or(u8::MAX))),
        CallEnd::Signalled(signal) => {
            Err(Failure::OfCommand(u8::try_from(128 + signal).unwrap_or(u8::MAX)))
        }
        CallEnd::MemoryLimit => killed(format!("more than {} bytes of memory", limits.memory)),
        CallEnd::ProcessLimit => killed(format!("more than {} processes", limits.processes)),
        CallEnd::CpuLimit => killed("too much CPU time".to_owned()),
        CallEnd::Deadline
        | CallEnd::Silence
        | CallEnd::Unasked
        | CallEnd::Awake
        | CallEnd::OutputLimit => killed("a limit".to_owned()),
        CallEnd::Traced => killed("a leftover process is tracing it".to_owned()),
        CallEnd::NotStarted(why) => Err(Failure::Start(why)),
        CallEnd::Fault(why) => Err(Failure::Ours(why)),
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

/// Prepares the bot, and finds the rights that it asks for and does not get.
fn inspect(
    bot: BotSpec,
    isolation: &IsolationSpec,
) -> Result<(Contender, Vec<MissingGrant>), Failure> {
    let bot = bot.opened()?;
    let names = bot::names(std::slice::from_ref(&bot))?;
    isolation.grants.check_names(&names)?;
    let name = names.into_iter().next().unwrap_or_default();
    let not_granted = isolation.not_granted(&name, &bot);
    let (search, beyond) = (setup::search_path()?, isolation.outside_access(&name));
    super::remark_on(&bot, &name, &search);
    let contender = Contender::prepare(&bot, &name, Limits::default(), &search, &beyond)
        .map_err(|error| Failure::Start(format!("bot `{name}`: {error}")))?;
    let contender = sighted(vec![contender], &isolation.grants, &[]).pop();
    let contender =
        contender.ok_or_else(|| Failure::Ours(format!("bot `{}` is gone", printable(&name))))?;
    Ok((contender, not_granted))
}

/// Facts that show why a layer is refused.
#[derive(Debug, Clone, Default)]
struct SystemSettings {
    /// True if this process may mount, so that namespaces need no further right.
    may_mount: bool,
    /// True if this process is under a filter of system calls, as in containers.
    is_filtered: bool,
    /// True if parts of `/proc` are covered, as in containers.
    is_masked: bool,
    /// `kernel.unprivileged_userns_clone`, if set.
    userns_clone: Option<String>,
    /// `kernel.apparmor_restrict_unprivileged_userns`, if set.
    apparmor_userns: Option<String>,
    /// `user.max_user_namespaces`, if set.
    most_namespaces: Option<String>,
    /// The AppArmor profile of this process, if any.
    profile: Option<String>,
    /// The security modules of the kernel, if it lists them.
    modules: Option<String>,
    /// The version of the kernel, as `6.8.0-31-generic`.
    kernel: Option<String>,
}

/// Lines of advice; none if all layers are on.
fn advice(layers: &Layers) -> Vec<String> {
    if layers.refused.is_empty() {
        Vec::new()
    } else {
        SystemSettings::of_this_machine().advice(layers)
    }
}

impl SystemSettings {
    fn of_this_machine() -> SystemSettings {
        let value = |path: &str| Some(fs::read_to_string(path).ok()?.trim().to_owned());
        let status = value("/proc/self/status").unwrap_or_default();
        let field =
            |name: &str| status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        let rights = field("CapEff").and_then(|it| u64::from_str_radix(it.trim(), 16).ok());
        let mounts = value("/proc/self/mountinfo").unwrap_or_default();
        let mut places = mounts.lines().filter_map(|line| line.split(' ').nth(4));
        SystemSettings {
            may_mount: rights.is_some_and(|rights| rights & 1 << SYS_ADMIN != 0),
            is_filtered: field("Seccomp").is_some_and(|mode| mode.trim() == "2"),
            is_masked: places.any(is_mask),
            userns_clone: value("/proc/sys/kernel/unprivileged_userns_clone"),
            apparmor_userns: value("/proc/sys/kernel/apparmor_restrict_unprivileged_userns"),
            most_namespaces: value("/proc/sys/user/max_user_namespaces"),
            profile: value("/proc/self/attr/apparmor/current"),
            modules: value("/sys/kernel/security/lsm"),
            kernel: value("/proc/sys/kernel/osrelease"),
        }
    }

    fn advice(&self, layers: &Layers) -> Vec<String> {
        let is_refused = |layer| layers.refused.iter().any(|(refused, _)| *refused == layer);
        let wants_namespaces = OF_NAMESPACES.into_iter().any(is_refused);
        let mut advice = Vec::new();
        if wants_namespaces {
            advice.extend(self.namespaces());
        }
        if is_refused(Layer::Landlock) {
            advice.extend(self.landlock());
        }
        let wants_calls = wants_namespaces || is_refused(Layer::Landlock);
        if self.is_filtered && wants_calls {
            advice.push(
                "start the container with --security-opt seccomp=unconfined, whose filter may \
                 refuse these calls"
                    .to_owned(),
            );
        }
        advice
    }

    fn namespaces(&self) -> Vec<String> {
        let mut advice = Vec::new();
        if self.most_namespaces.as_deref() == Some("0") {
            advice.push("sysctl user.max_user_namespaces=10000".to_owned());
        }
        if self.may_mount {
            return advice;
        }
        if self.userns_clone.as_deref() == Some("0") {
            advice.push("sysctl kernel.unprivileged_userns_clone=1".to_owned());
        }
        if self.apparmor_userns.as_deref() == Some("1") {
            advice.push(
                "sysctl kernel.apparmor_restrict_unprivileged_userns=0, or an AppArmor profile for \
                 arbiter with the line `userns,`"
                    .to_owned(),
            );
        }
        if self.is_masked {
            advice.push(
                "start the container with --security-opt systempaths=unconfined, since parts of \
                 its /proc are masked (podman: unmask=ALL)"
                    .to_owned(),
            );
        }
        if let Some(profile) = self.profile.as_deref().filter(|it| it.contains("(enforce)")) {
            let name = profile.split(' ').next().unwrap_or(profile);
            advice.push(format!(
                "start the container with --security-opt apparmor=unconfined, since the profile \
                 {name} may refuse mounts"
            ));
        }
        advice
    }

    fn landlock(&self) -> Option<String> {
        let is_old = self.kernel.as_deref().and_then(version).is_some_and(|it| it < (5, 13));
        match &self.modules {
            _ if is_old => Some("Linux 5.13 or newer, for Landlock".to_owned()),
            Some(modules) if !modules.split(',').any(|module| module == "landlock") => {
                Some(format!("the kernel boot parameter lsm=landlock,{modules}, for Landlock"))
            }
            _ => None,
        }
    }
}

/// The layers that need namespaces.
const OF_NAMESPACES: [Layer; 6] =
    [Layer::User, Layer::Processes, Layer::Files, Layer::Network, Layer::Ipc, Layer::Host];

/// The number of the capability to mount.
const SYS_ADMIN: u32 = 21;

/// Returns true if a mount covers something that a new `/proc` would show.
fn is_mask(place: &str) -> bool {
    place.starts_with("/proc/") && place != "/proc/sys/fs/binfmt_misc"
}

/// The first two numbers of a version.
fn version(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.split(|c: char| !c.is_ascii_digit()).map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

#[derive(Serialize)]
struct JsonBotSandbox<'a> {
    bot: &'a str,
    layers: Vec<&'static str>,
    missing: Vec<&'static str>,
    system: Vec<String>,
    paths: Vec<String>,
    writable: JsonWritable,
    user: u32,
    network: bool,
    not_granted: Vec<JsonPermission>,
}

/// A place where a bot can write, as one of four words, and the limit in memory.
#[derive(Serialize)]
struct JsonWritable {
    place: &'static str,
    bytes: Option<u64>,
    files: Option<u64>,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum JsonPermission {
    Read(String),
    Device(String),
    Network,
}

fn tell(
    bot: &str,
    found: &BotSandbox,
    not_granted: &[MissingGrant],
    format: OutputFormat,
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        OutputFormat::Text => text(bot, found, not_granted, out),
        OutputFormat::Json => {
            let view = JsonBotSandbox {
                bot,
                layers: found.layers.on.iter().map(|layer| layer.name()).collect(),
                missing: found.layers.refused.iter().map(|(layer, _)| layer.name()).collect(),
                system: texts(&found.system),
                paths: texts(&found.paths),
                writable: writable(found.writable),
                user: found.user,
                network: found.network,
                not_granted: not_granted.iter().map(json_permission).collect(),
            };
            named_json_line(out, "view", &view)
        }
    }
}

fn text(
    bot: &str,
    found: &BotSandbox,
    not_granted: &[MissingGrant],
    out: &mut dyn Write,
) -> io::Result<()> {
    let missing = found.layers.missing();
    let layers = match (found.layers.on.is_empty(), missing.as_str()) {
        (true, "") => "no isolation".to_owned(),
        (_, "") => "all layers".to_owned(),
        (_, missing) => format!("without {missing}"),
    };
    writeln!(out, "{bot}: {layers}\n")?;
    let mut sees: Vec<String> = found.paths.iter().map(|path| display_path(path)).collect();
    let system: Vec<String> = found.system.iter().map(|path| display_path(path)).collect();
    sees.push(match system.join(" ").as_str() {
        "/" => "everything you can read".to_owned(),
        system => format!("the system's {system}"),
    });
    rows(out, "sees", &sees)?;
    let writes = match found.writable {
        WritablePlace::Memory { bytes, files } => {
            let room = ByteSize(bytes);
            format!("/tmp, in memory: at most {room} and {files} files")
        }
        WritablePlace::Scratch => "its own scratch folder".to_owned(),
        WritablePlace::ScratchAndOpen => {
            "its scratch folder, and wherever file permissions allow".to_owned()
        }
        WritablePlace::Everywhere => "its scratch folder, and anywhere you can write".to_owned(),
    };
    rows(out, "writes", &[writes])?;
    let user = match found.user {
        NOBODY => format!("{NOBODY}, nobody"),
        user => user.to_string(),
    };
    rows(out, "user", &[user])?;
    rows(out, "network", &[if found.network { "yes" } else { "no" }.to_owned()])?;
    let asks = not_granted.iter().map(|asked| {
        let what = match asked.right() {
            Permission::Read(path) => format!("to read {}", display_path(path)),
            Permission::Device(path) => format!("for the device {}", display_path(path)),
            Permission::Network => "for the network".to_owned(),
        };
        format!("{what}: not granted, pass --allow {}", asked.option())
    });
    rows(out, "asks", &asks.collect::<Vec<_>>())
}

/// Writes rows, with a heading in front of the first.
fn rows(out: &mut dyn Write, heading: &str, rows: &[String]) -> io::Result<()> {
    let headings = [heading].into_iter().chain(std::iter::repeat(""));
    headings.zip(rows).try_for_each(|(heading, row)| writeln!(out, "{heading:8}  {row}"))
}

fn texts(paths: &[PathBuf]) -> Vec<String> {
    paths.iter().map(|path| path.to_string_lossy().into_owned()).collect()
}

fn writable(writable: WritablePlace) -> JsonWritable {
    let on_disk = |place| JsonWritable { place, bytes: None, files: None };
    match writable {
        WritablePlace::Memory { bytes, files } => {
            JsonWritable { place: "memory", bytes: Some(bytes), files: Some(files) }
        }
        WritablePlace::Scratch => on_disk("scratch"),
        WritablePlace::ScratchAndOpen => on_disk("open"),
        WritablePlace::Everywhere => on_disk("everywhere"),
    }
}

fn json_permission(asked: &MissingGrant) -> JsonPermission {
    match asked.right() {
        Permission::Read(path) => JsonPermission::Read(path.to_string_lossy().into_owned()),
        Permission::Device(path) => JsonPermission::Device(path.to_string_lossy().into_owned()),
        Permission::Network => JsonPermission::Network,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn without(layers: &[Layer]) -> Layers {
        let refused = layers.iter().map(|layer| (*layer, "why".to_owned())).collect();
        Layers { on: Vec::new(), refused }
    }

    fn text(value: &str) -> Option<String> {
        Some(value.to_owned())
    }

    #[test]
    fn only_what_applies_is_said() {
        let none = SystemSettings::default();
        let fine = SystemSettings {
            userns_clone: text("1"),
            apparmor_userns: text("0"),
            most_namespaces: text("15000"),
            profile: text("unconfined"),
            modules: text("lockdown,landlock,yama"),
            kernel: text("6.8.0-31-generic"),
            ..SystemSettings::default()
        };
        for settings in [none, fine] {
            assert_eq!(settings.advice(&without(&Layer::ALL)), Vec::<String>::new());
        }
    }

    #[test]
    fn each_setting_has_its_remedy() {
        let advice =
            |settings: SystemSettings, layer| settings.advice(&without(&[layer])).join("\n");
        let told = |settings: SystemSettings, layer, expected: &str| {
            let told = advice(settings.clone(), layer);
            assert!(told.starts_with(expected), "{told}");
            assert_eq!(advice(settings, Layer::Privileges), "");
        };
        let usual = SystemSettings::default;
        let files = Layer::Files;
        let clone = SystemSettings { userns_clone: text("0"), ..usual() };
        told(clone.clone(), files, "sysctl kernel.unprivileged_userns_clone=1");
        assert_eq!(advice(SystemSettings { may_mount: true, ..clone }, files), "");
        let ubuntu = SystemSettings { apparmor_userns: text("1"), ..usual() };
        told(
            ubuntu,
            files,
            "sysctl kernel.apparmor_restrict_unprivileged_userns=0, or an AppArmor",
        );
        let most = SystemSettings { most_namespaces: text("0"), may_mount: true, ..usual() };
        told(most, files, "sysctl user.max_user_namespaces=10000");
        let container = SystemSettings { is_filtered: true, ..usual() };
        told(container, files, "start the container with --security-opt seccomp=unconfined");
        let masked = SystemSettings { is_masked: true, ..usual() };
        told(masked, files, "start the container with --security-opt systempaths=unconfined");
        let modules = SystemSettings { modules: text("yama,apparmor"), ..usual() };
        told(modules, Layer::Landlock, "the kernel boot parameter lsm=landlock,yama,apparmor");
        let old = SystemSettings { kernel: text("5.10.0"), modules: text("yama"), ..usual() };
        told(old, Layer::Landlock, "Linux 5.13");
    }

    #[test]
    fn a_mount_below_proc_covers_something() {
        assert!(is_mask("/proc/kcore") && is_mask("/proc/acpi"));
        assert!(!is_mask("/proc") && !is_mask("/process") && !is_mask("/proc/sys/fs/binfmt_misc"));
    }
}
