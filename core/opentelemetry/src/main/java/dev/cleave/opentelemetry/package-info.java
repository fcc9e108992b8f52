/** Spans and metrics of calls for OpenTelemetry. */
@NullMarked
package dev.cleave.opentelemetry;

import org.jspecify.annotations.NullMarked;
