//! Answers of rules that are not compiled in.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::rules(data));
