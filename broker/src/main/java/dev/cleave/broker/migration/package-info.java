/** Moves waiting calls between replicas by the linkages of the application file. Runs on the registry's thread. */
@NullMarked
package dev.cleave.broker.migration;

import org.jspecify.annotations.NullMarked;
