/** Several brokers over one store in one thread, under a clock of its own, with faults; and the check of their registries. */
@NullMarked
package dev.cleave.lab.cluster;

import org.jspecify.annotations.NullMarked;
