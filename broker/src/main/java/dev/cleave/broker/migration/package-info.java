/** Lets waiting calls move between replicas, as the application file says. On the registry's thread. */
@NullMarked
package dev.cleave.broker.migration;

import org.jspecify.annotations.NullMarked;
