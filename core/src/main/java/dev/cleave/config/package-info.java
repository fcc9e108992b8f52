/**
 * The application file {@code cleave.yaml}, read into immutable records: how each service is called, served and reached.
 * Every package may use it; it knows neither classes nor connections.
 */
@NullMarked
package dev.cleave.config;

import org.jspecify.annotations.NullMarked;
