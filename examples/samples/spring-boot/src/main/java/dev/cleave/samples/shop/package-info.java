/** A Spring Boot application in two roles: the profile {@code warehouse} serves, the profile {@code shop} calls. */
package dev.cleave.samples.shop;
