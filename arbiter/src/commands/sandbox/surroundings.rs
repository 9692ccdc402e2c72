//! The surroundings of a bot, as text or JSON.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use bytesize::ByteSize;
use serde::Serialize;
use text::printable;

use crate::output::OutputFormat;
use crate::output::json::JsonLines;
use bot::grants::{NotGranted, Permission};
use sandbox::isolation::{NOBODY, SandboxProfile, Writable};

#[derive(Serialize)]
struct JsonView<'a> {
    bot: &'a str,
    layers: Vec<&'static str>,
    missing: Vec<&'static str>,
    system: Vec<String>,
    paths: Vec<String>,
    writable: JsonWritable,
    user: u32,
    network: bool,
    not_granted: Vec<JsonRight>,
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
enum JsonRight {
    Read(String),
    Device(String),
    Network,
}

pub(super) fn tell(
    bot: &str,
    found: &SandboxProfile,
    not_granted: &[NotGranted],
    format: OutputFormat,
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        OutputFormat::Text => text(bot, found, not_granted, out),
        OutputFormat::Json => {
            let view = JsonView {
                bot,
                layers: found.layers.on.iter().map(|layer| layer.name()).collect(),
                missing: found.layers.refused.iter().map(|(layer, _)| layer.name()).collect(),
                system: texts(&found.system),
                paths: texts(&found.paths),
                writable: writable(found.writable),
                user: found.user,
                network: found.network,
                not_granted: not_granted.iter().map(right).collect(),
            };
            JsonLines::new(out).named("view", &view)
        }
    }
}

fn text(
    bot: &str,
    found: &SandboxProfile,
    not_granted: &[NotGranted],
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
        "/" => "everything that you see".to_owned(),
        system => format!("the system's {system}"),
    });
    rows(out, "sees", &sees)?;
    let writes = match found.writable {
        Writable::Memory { bytes, files } => {
            let room = ByteSize(bytes);
            format!("/tmp, in memory: at most {room} and {files} files")
        }
        Writable::Scratch => "its own scratch folder".to_owned(),
        Writable::ScratchAndOpen => {
            "its scratch folder, and wherever file permissions allow".to_owned()
        }
        Writable::Everywhere => "its scratch folder, and wherever you can".to_owned(),
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

fn display_path(path: &Path) -> String {
    printable(&path.to_string_lossy())
}

fn texts(paths: &[PathBuf]) -> Vec<String> {
    paths.iter().map(|path| path.to_string_lossy().into_owned()).collect()
}

fn writable(writable: Writable) -> JsonWritable {
    let on_disk = |place| JsonWritable { place, bytes: None, files: None };
    match writable {
        Writable::Memory { bytes, files } => {
            JsonWritable { place: "memory", bytes: Some(bytes), files: Some(files) }
        }
        Writable::Scratch => on_disk("scratch"),
        Writable::ScratchAndOpen => on_disk("open"),
        Writable::Everywhere => on_disk("everywhere"),
    }
}

fn right(asked: &NotGranted) -> JsonRight {
    match asked.right() {
        Permission::Read(path) => JsonRight::Read(path.to_string_lossy().into_owned()),
        Permission::Device(path) => JsonRight::Device(path.to_string_lossy().into_owned()),
        Permission::Network => JsonRight::Network,
    }
}
