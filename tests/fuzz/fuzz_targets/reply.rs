//! Output of a bot.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::reply(data));
