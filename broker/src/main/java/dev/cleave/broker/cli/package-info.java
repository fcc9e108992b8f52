/**
 * The commands of {@code bin/cleave}. Other modules contribute commands as services of
 * {@link dev.cleave.broker.cli.Subcommand}.
 */
@NullMarked
package dev.cleave.broker.cli;

import org.jspecify.annotations.NullMarked;
