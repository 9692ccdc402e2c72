//! An endpoint of the form `/v1/chat/completions` whose model chooses any move.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex};
use std::thread;

use rules::Nature;
use serde_json::{Value, json};

/// Of so many prompts, one gets an answer without a move at first.
const MUMBLED: u32 = 10;

/// Starts an endpoint that lives as long as the tests, and returns its address.
pub(super) fn start(chance: Nature) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    let chance = Arc::new(Mutex::new(chance));
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let chance = Arc::clone(&chance);
            // A bot that is killed breaks its calls off.
            thread::spawn(move || answer(stream, &mut |most| below(&chance, most)));
        }
    });
    format!("http://{address}/v1")
}

fn below(chance: &Mutex<Nature>, most: u32) -> u32 {
    let most = NonZeroU32::new(most).expect("there is a move");
    chance.lock().expect("no panic").below(most)
}

/// Answers the call of a connection.
fn answer(mut stream: TcpStream, below: &mut dyn FnMut(u32) -> u32) -> io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?);
    let mut length = 0;
    loop {
        let mut line = String::new();
        lines.read_line(&mut line)?;
        let line = line.trim_end().to_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(bytes) = line.strip_prefix("content-length:") {
            length = bytes.trim().parse().map_err(io::Error::other)?;
        }
    }
    let mut body = vec![0; length];
    lines.read_exact(&mut body)?;
    let asked: Value = serde_json::from_slice(&body)?;
    let messages = asked["messages"].as_array().expect("messages");
    // The rules and the prompt; more messages follow an answer without a move.
    let is_first = messages.len() == 2;
    let said = match is_first && below(MUMBLED) == 0 {
        true => "I would rather not say.".to_owned(),
        false => format!("MOVE: {}", below(moves(&messages[1])) + 1),
    };
    let told = json!({
        "choices": [{ "message": { "role": "assistant", "content": said }, "finish_reason": "stop" }],
        "usage": { "prompt_tokens": 100, "completion_tokens": 5 },
    });
    let told = told.to_string();
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n";
    write!(stream, "{head}Content-Length: {}\r\n\r\n{told}", told.len())
}

/// The number of moves in a prompt.
fn moves(prompt: &Value) -> u32 {
    let text = prompt["content"].as_str().expect("a text");
    let (_, rest) = text.rsplit_once("Choose a move from 1 to ").expect("a number of moves");
    let (moves, _) = rest.split_once('.').expect("a sentence");
    moves.parse().expect("a number")
}
