/** Runs a program as written and with the agent, against services that answer alike, and compares. */
@NullMarked
package dev.cleave.broker.verify;

import org.jspecify.annotations.NullMarked;
