package dev.cleave.broker;

import dev.cleave.testing.LoggersContractTest;

class LoggersTest extends LoggersContractTest {}
