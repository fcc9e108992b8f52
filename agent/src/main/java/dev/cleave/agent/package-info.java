/** Placeholder. */
package dev.cleave.agent;
