/** The bare server as one middleware of Express: the cost of Express itself. */
import express from 'express';
import { port } from '../settings.mjs';
import { answer } from './bare-application.mjs';

express().use(answer).listen(port, '127.0.0.1');
