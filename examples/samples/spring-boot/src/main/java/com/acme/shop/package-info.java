/** A Spring Boot application in two roles: the profile {@code warehouse} serves, the profile {@code shop} calls. */
package com.acme.shop;
