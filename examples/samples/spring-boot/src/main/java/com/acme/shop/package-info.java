/** A Spring Boot application in two roles, in one process or two: the profile {@code warehouse} serves, the profile {@code shop} calls. */
package com.acme.shop;
