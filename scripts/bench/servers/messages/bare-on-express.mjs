/** The same on Express as one middleware: what Express itself costs a library that is mounted in it. */
import express from 'express';
import { port } from '../settings.mjs';
import { answer } from './bare-application.mjs';

express().use(answer).listen(port, '127.0.0.1');
