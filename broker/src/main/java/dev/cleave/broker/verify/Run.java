package dev.cleave.broker.verify;

import dev.cleave.broker.process.Finished;
import java.util.List;

/**
 * One run of a program.
 *
 * @param finished its end and its output
 * @param calls those that reached the services, in the order in which they began
 */
record Run(Finished finished, List<Served> calls) {}
