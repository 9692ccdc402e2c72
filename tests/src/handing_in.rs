//! A server that takes bots, and requests to it.

use std::fmt::Display;
use std::fs;
use std::net::TcpStream;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::archives::{stored, zip};
use crate::bench::Bench;
use crate::running::wait_or_say;
use crate::served::Served;
use jiff::Timestamp;
use minreq::{Method, Request, Response};
use rustix::process::Signal;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// A served league, and what it is asked.
pub struct Server {
    /// Where it runs.
    pub bench: Bench,
    served: Served,
    requests: AtomicU32,
}

impl Server {
    /// Serves the league `class` of a bench.
    pub fn start(bench: Bench) -> Server {
        Server::start_with(bench, &[])
    }

    /// Serves it with these further words.
    pub fn start_with(bench: Bench, words: &[&str]) -> Server {
        let served = Served::start(&bench, &[&["class", "--submit"], words].concat());
        Server { bench, served, requests: AtomicU32::new(0) }
    }

    /// Kills the server, and gives what it has served.
    pub fn ended(self) -> Bench {
        drop(self.served);
        self.bench
    }

    /// Ends the server as Ctrl-C does, and gives what it has served.
    pub fn interrupted(mut self) -> Bench {
        self.served.process().signal(Signal::INT);
        assert!(self.served.process().wait().success());
        self.bench
    }

    /// The address to connect to.
    pub fn host(&self) -> String {
        self.served.host().to_owned()
    }

    /// The token of a new participant.
    pub fn invite(&self, name: &str) -> String {
        let told = self.bench.ok(&format!("league invite class {name}"));
        let token = told.trim_end().strip_prefix(&format!("{name}: ")).expect("a token");
        assert_eq!(token.len(), 64);
        token.to_owned()
    }

    /// A request below `hand-in/`, which follows no redirection.
    pub fn request(&self, method: Method, path: &str) -> Request {
        self.at(method, &format!("hand-in/{path}"))
    }

    /// A request to any page of the league, which follows no redirection.
    pub fn at(&self, method: Method, path: &str) -> Request {
        let url = format!("{}{path}", self.served.address());
        // Each comes from another address, so that none comes too often.
        let [_, high, middle, low] = self.requests.fetch_add(1, Ordering::Relaxed).to_be_bytes();
        let from = format!("192.{high}.{middle}.{low}");
        let request = Request::new(method, url).with_follow_redirects(false).with_timeout(120);
        request.with_header("X-Forwarded-For", from)
    }

    /// The response to a program with a token.
    pub fn get(&self, path: &str, token: &str) -> Response {
        let request = self.request(Method::Get, path).with_header("Authorization", bearer(token));
        request.send().expect("an answer")
    }

    /// The response to a form that a program sends with a token.
    pub fn form(&self, path: &str, token: &str, body: &str) -> Response {
        let request = self.request(Method::Post, path).with_header("Authorization", bearer(token));
        let request = request.with_header("Content-Type", "application/x-www-form-urlencoded");
        let request = request.with_header("Accept", "application/json").with_body(body);
        request.send().expect("an answer")
    }

    /// The page below `hand-in/` that a browser shows to the one with this token.
    pub fn page(&self, path: &str, token: &str) -> String {
        self.page_at(&format!("hand-in/{path}"), token)
    }

    /// Any page that a browser shows to the one with this token.
    pub fn page_at(&self, path: &str, token: &str) -> String {
        let request = self.at(Method::Get, path).with_header("Accept", "text/html");
        let page = request.with_header("Cookie", format!("token={token}")).send();
        page.expect("an answer").as_str().expect("text").to_owned()
    }

    /// A page as JSON, for the token of a participant or of the organiser.
    pub fn json_page(&self, path: &str, token: &str) -> Value {
        let request = self.at(Method::Get, path).with_header("Authorization", bearer(token));
        let answer = request.send().expect("an answer");
        assert_eq!(answer.status_code, 200, "{path}: {:?}", answer.as_str());
        json(&answer)
    }

    /// The token of the organiser.
    pub fn organiser(&self) -> String {
        self.bench.ok("league organiser class").trim_end().to_owned()
    }

    /// Sends a file as a program does.
    pub fn send(&self, token: &str, file: &str, content: &[u8]) -> Response {
        let request = self.request(Method::Post, &format!("?file={file}"));
        let request = request.with_header("Authorization", bearer(token)).with_body(content);
        request.send().expect("an answer")
    }

    /// A connection on which a file of 8 MB has begun with these bytes.
    pub fn begins_to_send(&self, token: &str, sent: &[u8]) -> TcpStream {
        let head = format!(
            "POST /hand-in/?file=bot.zip HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {token}\r\n\
             Content-Length: 8000000\r\n\r\n",
            self.host()
        );
        self.served.connect(&[head.as_bytes(), sent].concat())
    }

    /// Sends a file, which is taken in, and gives what became of it.
    pub fn hand_in(&self, token: &str, file: &str, content: &[u8]) -> Value {
        let taken = self.send(token, file, content);
        assert_eq!(taken.status_code, 202, "{:?}", taken.as_str());
        let number = json(&taken)["number"].as_u64().expect("a number");
        self.decided(token, number)
    }

    /// The result of a submission, by its number, once it is decided.
    pub fn decided(&self, token: &str, number: impl Display) -> Value {
        let mut told = Value::Null;
        wait_or_say(
            || {
                let answer = self.get(&format!("submissions/{number}"), token);
                assert_eq!(answer.status_code, 200, "{:?}", answer.as_str());
                told = json(&answer);
                !matches!(told["verdict"].as_str(), Some("waiting" | "checking"))
            },
            || format!("submission {number} is decided"),
        );
        told
    }

    /// The most memory that the server has had, in KiB.
    pub fn peak(&self) -> usize {
        let status = fs::read_to_string(format!("/proc/{}/status", self.served.id()));
        let status = status.expect("it runs");
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a line");
        line.trim().trim_end_matches(" kB").parse().expect("a number")
    }
}

/// The header `Authorization` of a token.
pub fn bearer(token: &str) -> String {
    format!("Bearer {token}")
}

/// The JSON of a response.
#[expect(clippy::panic, reason = "a test that gets no JSON has failed")]
pub fn json(answer: &Response) -> Value {
    let text = answer.as_str().expect("text");
    serde_json::from_str(text).unwrap_or_else(|_| panic!("no JSON: {text}"))
}

/// The reason why a request was refused, with this status.
pub fn refusal(answer: &Response, status: i32) -> String {
    assert_eq!(answer.status_code, status, "{:?}", answer.as_str());
    json(answer)["error"].as_str().expect("a reason").to_owned()
}

/// A bot in shell that plays the first move that is listed.
pub fn script(comment: &str) -> String {
    format!(
        "# {comment}\nwhile read -r word rest; do\n  if [ \"$word\" = legal ]; then read -r move; echo \"$move\"; exit; fi\ndone\n"
    )
}

/// Its manifest, with a name that is not its own in a league.
pub const MANIFEST: &[u8] = b"name = \"something-else\"\ncommand = \"sh bot.sh\"\n";

/// An archive with a bot.
pub fn bot(comment: &str) -> Vec<u8> {
    zip(&[
        stored("anna-bot/bot.toml", MANIFEST),
        stored("anna-bot/bot.sh", script(comment).as_bytes()),
    ])
}

/// A token, which nothing but a test makes.
pub fn numbered_token(number: usize) -> String {
    format!("{number:064}")
}

/// Makes participants `p0` and so on with these tokens, as `arbiter league invite` writes them.
pub fn invite_many(bench: &Bench, count: usize) {
    let digest = |number| {
        let bytes = Sha256::digest(numbered_token(number));
        bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>()
    };
    let lines = (0..count).map(|it| format!("\"p{it}\":{{\"token\":\"{}\"}}", digest(it)));
    let text = format!("{{{}}}", lines.collect::<Vec<_>>().join(","));
    bench.write("class/participants.json", text);
}

/// An archive with a bot that is built by this command.
pub fn built_by(command: &str) -> Vec<u8> {
    let manifest = format!("name = 'x'\ncommand = 'sh bot.sh'\nbuild = '{command}'\n");
    zip(&[stored("bot.toml", manifest.as_bytes()), stored("bot.sh", script("built").as_bytes())])
}

/// An archive with a bot that is this script.
pub fn with_script(script: &str) -> Vec<u8> {
    zip(&[stored("bot.toml", MANIFEST), stored("bot.sh", script.as_bytes())])
}

/// A command that takes for ever and that no other test runs.
pub fn endless() -> String {
    static NUMBERS: AtomicU32 = AtomicU32::new(0);
    let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
    format!("sleep {}", 1_000 * std::process::id() + number)
}

/// Sets a table in the settings of the league, in place of an earlier one and of the tables after it.
pub fn set_table(bench: &Bench, table: &str, lines: &str) {
    let text = bench.text("class/league.toml");
    let begin = format!("\n[{table}]");
    let (settings, _) = text.split_once(&begin).unwrap_or((&text, ""));
    // A server may read it at any moment.
    let new = bench.write("class/league.toml.new", format!("{settings}{begin}\n{lines}\n"));
    fs::rename(new, bench.path("class/league.toml")).expect("ours");
}

/// Sets the calendar of the league, in place of an earlier one.
pub fn set(bench: &Bench, calendar: &str) {
    set_table(bench, "calendar", calendar);
}

/// A time this number of seconds from now, as it is written in a calendar.
pub fn ahead(seconds: i64) -> String {
    let at = Timestamp::from_second(Timestamp::now().as_second() + seconds).expect("a time");
    at.to_string()
}

/// The last time in the log of the league.
pub fn last_time(bench: &Bench) -> i64 {
    let log = bench.text("class/league.jsonl");
    let time = |line: &str| serde_json::from_str::<Value>(line).ok()?["time"].as_i64();
    log.lines().rev().find_map(time).expect("a time")
}

/// Returns true if a process on this machine has a command line that ends in these words.
pub fn runs(words: &str) -> bool {
    let all = fs::read_dir("/proc").expect("a folder").flatten();
    let mut lines = all.filter_map(|it| fs::read(it.path().join("cmdline")).ok());
    lines.any(|line| String::from_utf8_lossy(&line).replace('\0', " ").trim_end().ends_with(words))
}
