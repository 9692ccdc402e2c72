//! Modes that print too much.

use std::io::{self, Write};

use crate::bot::{Bot, say};

const CHUNK: usize = 16 << 10;

pub(crate) fn long_line(bot: &Bot) {
    bot.request();
    say("x".repeat(131_070) + "\n");
}

pub(crate) fn huge_line(bot: &Bot) {
    bot.request();
    for _ in 0..(10 << 20) / CHUNK {
        say([b'x'; CHUNK]);
    }
    say("\n");
}

pub(crate) fn flood(bot: &Bot) {
    bot.request();
    write_for_ever(io::stdout(), b'x');
}

pub(crate) fn flood_lines(bot: &Bot) {
    bot.request();
    write_for_ever(io::stdout(), b'\n');
}

pub(crate) fn stderr_flood(bot: &Bot) {
    bot.request();
    write_for_ever(io::stderr(), b'x');
}

pub(crate) fn stderr_mib(bot: &Bot) {
    let answer = bot.answer();
    let _ = io::stderr().write_all(&vec![b'x'; 1 << 20]);
    say(answer + "\n");
}

pub(crate) fn words(bot: &Bot) {
    let answer = bot.answer();
    eprintln!("verdict timeout");
    eprintln!("error: seat 0 crash (exit 1)");
    eprintln!("{{\"game\":1,\"result\":\"void\",\"verdict\":\"ok\"}}");
    eprintln!("end");
    let nothing = "0".repeat(64);
    let chain = format!("\"previous\":\"{nothing}\",\"sha256\":\"{nothing}\"");
    eprintln!("\n{{\"end\":{{\"games\":0,\"points\":[],\"seed\":\"{nothing}\"}},{chain}}}");
    eprintln!("\",\"sha256\":\"{nothing}\"}}\n\\n\\x0a\u{1b}[2J\0\r\u{2028}");
    say(answer + "\n");
}

/// Writes until the other end is closed.
fn write_for_ever(mut stream: impl Write, byte: u8) {
    let chunk = [byte; CHUNK];
    while stream.write_all(&chunk).is_ok() {}
}
