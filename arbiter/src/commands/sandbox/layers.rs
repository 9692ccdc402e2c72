//! The layers of this machine, a row each.

use std::io::{self, Write};

use serde::Serialize;

use crate::output::Format;
use crate::output::json::JsonLines;
use sandbox::isolation::{Layer, Layers};

/// A line of JSON, named by its only key.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum JsonLine<'a> {
    Layer { name: &'static str, about: &'static str, on: bool, reason: Option<&'a str> },
    Machine { complete: bool, advice: &'a [String] },
}

/// Tells which layers there are, why others are not there, and what would help.
pub(super) fn tell(
    layers: &Layers,
    advice: &[String],
    format: Format,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut said = None;
    for layer in Layer::ALL {
        let reason = layers.refused.iter().find(|(refused, _)| *refused == layer);
        let reason = reason.map(|(_, why)| why.as_str());
        let (name, about, on) = (layer.name(), layer.about(), layers.on.contains(&layer));
        match format {
            Format::Text => {
                let state = if on { "on" } else { "MISSING" };
                writeln!(out, "{name:10}  {state:7}  {about}")?;
                // Most often one reason stands for several that follow each other.
                if let Some(reason) = reason.filter(|reason| said != Some(*reason)) {
                    writeln!(out, "{:10}  {:7}  {reason}", "", "")?;
                }
                said = reason;
            }
            Format::Json => {
                JsonLines::new(&mut *out).line(&JsonLine::Layer { name, about, on, reason })?;
            }
        }
    }
    match format {
        Format::Text if advice.is_empty() => Ok(()),
        Format::Text => {
            writeln!(out, "\nAn administrator of this machine can allow more:")?;
            advice.iter().try_for_each(|advice| writeln!(out, "  {advice}"))
        }
        Format::Json => {
            let complete = layers.refused.is_empty();
            JsonLines::new(out).line(&JsonLine::Machine { complete, advice })
        }
    }
}
