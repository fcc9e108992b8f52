/** Runs a program as written and with the agent, against services that give equal answers, and compares the runs. */
@NullMarked
package dev.cleave.broker.verify;

import org.jspecify.annotations.NullMarked;
